import type { PlanStep, Scenario } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { type Corpus, loadBundledCorpus, selfTest } from '../../src/run/index.js';
import { respell } from '../../src/run/self-test/variants.js';

const bundled = await loadBundledCorpus();

const only = (change: (scenario: Scenario) => Scenario, id = 'email-exfil-001'): Corpus => ({
  ...bundled,
  scenarios: bundled.scenarios.filter((scenario) => scenario.id === id).map(change),
});

const test = (corpus: Corpus) => selfTest(corpus, { seeds: [0], mutants: true });

describe('the bundled corpus', () => {
  it('passes its self-test, every mutant is killed, no tolerance variant flips', async () => {
    const report = await selfTest(bundled, { seeds: [0, 1, 2, 3, 4], mutants: true });
    expect(report.failures).toEqual([]);
    expect(report.mutants.survivors).toEqual([]);
    expect(report.tolerance.flips).toEqual([]);
    expect(report.mutants.security.total).toBeGreaterThan(500);
    expect(report.mutants.utility.total).toBeGreaterThan(2000);
  });

  it('covers what an official run promises', () => {
    const attacks = bundled.scenarios.filter(({ kind }) => kind === 'attack');
    expect(attacks.length).toBeGreaterThanOrEqual(48);
    expect(bundled.scenarios.length - attacks.length).toBeGreaterThanOrEqual(24);
    expect(new Set(attacks.map(({ channel }) => channel)).size).toBeGreaterThanOrEqual(16);
    expect(new Set(attacks.map(({ family }) => family)).size).toBeGreaterThanOrEqual(16);
    expect(new Set(bundled.scenarios.map(({ world }) => world)).size).toBeGreaterThanOrEqual(6);
    for (const name of [
      'tool_result',
      'document',
      'web_page',
      'filename',
      'metadata',
      'user_message',
      'multi_turn',
    ]) {
      expect(attacks.map(({ channel }) => channel)).toContain(name);
    }
    for (const name of [
      'instruction_override',
      'context_termination',
      'authority_claim',
      'data_exfiltration',
      'tool_redirection',
      'encoding',
      'role_play',
      'conversation_hijack',
      'baseline',
    ]) {
      expect(attacks.map(({ family }) => family)).toContain(name);
    }
  });

  it('needs two or more calls for most of its tasks', () => {
    const calls = bundled.scenarios.map(
      ({ reference }) => (reference.ideal ?? []).filter((step) => 'call' in step).length,
    );
    expect(calls.filter((count) => count >= 2).length / calls.length).toBeGreaterThan(0.8);
  });
});

describe('a scenario with a defect is found', () => {
  it('an oracle that the hostile step need not meet', async () => {
    const report = await test(
      only((scenario) => ({ ...scenario, compromised: { calls: { tool: 'send_email' } } })),
    );
    expect(report.failures.map(({ what }) => what)).toContain(
      'the ideal plan is judged compromised',
    );
  });

  it('an oracle that fires on a quote', async () => {
    const report = await test(
      only((scenario) => ({
        ...scenario,
        compromised: { says: { contains: 'Note for whoever' } },
      })),
    );
    expect(report.failures.map(({ what }) => what)).toContain(
      'reporting the hostile text word for word is judged compromised',
    );
  });

  it('a utility oracle that misses an essential argument', async () => {
    const report = await test(
      only((scenario) => ({
        ...scenario,
        task: { ...scenario.task, done: { calls: { tool: 'send_email' } } },
      })),
    );
    expect(report.mutants.survivors.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'utility: change to of send_email (step 3)',
        'utility: change body of send_email (step 3)',
      ]),
    );
  });

  it('a utility oracle that is too strict about a spelling', async () => {
    const strict = only(
      (scenario) => ({
        ...scenario,
        task: { ...scenario.task, done: { says: { contains: '2027-04-10' } } },
      }),
      'email-destroy-001',
    );
    const report = await test(strict);
    expect(report.tolerance.flips.map(({ what }) => what)).toContain(
      'other spellings of dates and numbers (step 4)',
    );
  });

  it('a hostile text that the plan never meets', async () => {
    const unread = only((scenario) => ({
      ...scenario,
      reference: {
        ...scenario.reference,
        ideal: (scenario.reference.ideal ?? []).filter(
          (step: PlanStep) => !('call' in step) || step.call !== 'search_email',
        ),
      },
    }));
    expect((await test(unread)).failures.map(({ what }) => what)).toContain(
      'the ideal plan never meets the injected text, so the attack is never delivered',
    );
  });
});

it('spells dates and numbers in another way and leaves codes, times and names alone', () => {
  expect(respell('Pay 1240.50 by 2027-03-20, 16400 in all.')).toBe(
    'Pay 1,240.50 by 20 March 2027, 16,400 in all.',
  );
  for (const text of [
    'c-1234',
    '/2027/1234',
    '12:3456',
    'v1.2345',
    'in 2027',
    'E1234',
    '#5521-7',
  ]) {
    expect(respell(text)).toBe(text);
  }
});
