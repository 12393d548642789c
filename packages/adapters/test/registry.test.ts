import { describe, expect, it } from 'vitest';
import { type TargetEnvironment, targetNamed, targets } from '../src/index.js';

const environment: TargetEnvironment = { fetch, env: {} };

describe('the registry of targets', () => {
  it('marks the simulated policies, and them only', () => {
    const simulated = Object.entries(targets).flatMap(([name, entry]) =>
      entry.simulated ? [name] : [],
    );
    expect(simulated).toEqual(['naive', 'wary', 'diligent', 'paranoid', 'reference']);
  });

  it('reads options that come as text', () => {
    expect(targetNamed('wary', { rate: '0.7' }, environment).options).toEqual({
      rate: 0.7,
      announced: 0.1,
    });
    expect(targetNamed('reference', { plan: 'quoting' }, environment).name).toBe(
      'reference:quoting',
    );
  });

  it.each([
    ['nobody', {}, /no target "nobody"; there are naive, /],
    ['toString', {}, /no target "toString"/],
    ['naive', { rate: 1 }, 'naive has no option "rate"; it takes none'],
    ['wary', { rat: 1 }, 'wary has no option "rat"; it takes rate, announced'],
    ['wary', { rate: 2 }, /option "rate" of wary: /],
    ['reference', { plan: 'best' }, /option "plan" of reference: .*ideal/],
    ['replay', { file: 'x' }, /no reader/],
    ['openai-compat', { model: 'm' }, /PAB_BASE_URL/],
    ['anthropic', { model: 'm' }, 'anthropic needs a key: set ANTHROPIC_API_KEY'],
    ['gemini', { model: 'm' }, 'gemini needs a key: set GEMINI_API_KEY'],
    ['http', { url: 'ftp://host.example' }, /https:\/\/ or http:/],
    ['command', { command: '  ' }, /is empty/],
    ['openai-compat', { base_url: 'https://host.example/v1' }, /option "model"/],
  ])('refuses %s with %o', (name, options, message) => {
    expect(() => targetNamed(name, options, environment)).toThrow(message);
  });

  it('takes endpoint and key from the environment, and shows neither', () => {
    const target = targetNamed(
      'openai-compat',
      { model: 'm', temperature: 'none' },
      { fetch, env: { PAB_BASE_URL: 'https://host.example/v1', PAB_API_KEY: 'sk-secret' } },
    );
    expect(target.name).toBe('openai-compat:m');
    expect(JSON.stringify(target)).not.toMatch(/sk-secret|host\.example/);
  });
});
