import { describe, expect, it } from 'vitest';
import { DetectError } from '../../src/errors.js';
import { loadRules } from '../../src/rules/load-rules.js';

function failure(text: string): string {
  try {
    loadRules([{ name: 'magic.yml', text }]);
  } catch (error) {
    return DetectError.is(error) && error instanceof Error ? error.message : 'another error';
  }
  return 'loaded';
}

describe('a file that is no rule', () => {
  it('reads a file of many keys in little time', () => {
    const keys = Array.from({ length: 40_000 }, (_, i) => `key${i}: &a${i} 1\n`).join('');
    const began = performance.now();
    expect(failure(keys)).toContain('magic.yml:1:1: unknown key "key0"');
    // Comparing each key with all before it took 17 seconds.
    expect(performance.now() - began).toBeLessThan(6_000);
  });

  it.each([
    ['mappings', Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''), '34:34'],
    ['lists', `a:\n  ${'- '.repeat(40_000)}`, '2:67'],
    ['explicit keys', '? '.repeat(3_000), '1:67'],
    ['brackets that stay open', `a: ${'['.repeat(40_000)}`, '1:36'],
    ['brackets', `a: ${'['.repeat(900)}${']'.repeat(900)}`, '1:36'],
    ['braces', `a: ${'{a: '.repeat(40_000)}`, '1:132'],
  ])('says where %s are nested too deeply', (_name, text, place) => {
    expect(failure(text)).toContain(
      `magic.yml:${place}: nested too deeply: more than 32 lists and mappings within each other; take out`,
    );
  });

  it('points to the first of many lines that are indented too far, however deep that makes the last', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `  key${i}: 1\n`).join('');
    expect(failure(`title: Magic words\n${lines}`)).toContain(
      'magic.yml:2:3: is not valid YAML: the line is indented further',
    );
  });
});
