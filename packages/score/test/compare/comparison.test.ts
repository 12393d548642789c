import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Comparison,
  createComparison,
  parseDifferenceGate,
  type Trial,
  trippedGates,
} from '../../src/index.js';
import { trialLike } from '../fixture/trials.js';

const NAMES = {
  first: { name: 'a', target: 't', defense: 'none' },
  second: { name: 'b', target: 't', defense: 'filter' },
};

function compare(
  first: readonly Trial[],
  second: readonly Trial[],
  notes: readonly string[] = [],
): Comparison {
  const comparison = createComparison({ ...NAMES, resamples: 500, notes });
  for (const trial of first) comparison.addFirst(trial);
  for (const trial of second) comparison.addSecond(trial);
  return comparison.finish();
}

/** Attacks, one to a goal, of which the first so many were compromised. */
function attacks(count: number, compromised: number): Trial[] {
  return Array.from({ length: count }, (_, index) =>
    trialLike({
      scenario: `em-de-${index}`,
      goal: `goal ${index}`,
      taskId: `task ${index}`,
      outcome: index < compromised ? 'compromised' : 'resisted',
    }),
  );
}

const metric = (comparison: Comparison, name: string) => {
  const found = comparison.metrics.find((held) => held.metric === name);
  if (found === undefined) throw new Error(`no metric ${name}`);
  return found;
};

describe('comparing two runs', () => {
  it('gives the difference with its test and interval', () => {
    const found = metric(compare(attacks(40, 20), attacks(40, 5)), 'compromised');
    expect(found).toMatchObject({
      pairs: 40,
      first: 0.5,
      second: 0.125,
      difference: -0.375,
      clusters: 40,
      different: true,
      clusteredBy: 'goal',
      mcNemar: { first: 15, second: 0 },
      // Fifteen clusters differ, all one way: two of 2^15 sign patterns are as extreme.
      permutation: { p: 2 / 2 ** 15, exact: true },
    });
    expect(found.intervals.map(({ method }) => method)).toEqual([
      'Bonett–Price',
      'cluster bootstrap by goal',
    ]);
    for (const { low, high } of found.intervals) {
      expect(low).toBeLessThan(-0.375);
      expect(high).toBeGreaterThan(-0.375);
      expect(high).toBeLessThan(0);
    }
  });

  it('corrects over the metrics that have pairs', () => {
    const comparison = compare(attacks(40, 20), attacks(40, 14));
    const raw = metric(comparison, 'compromised').permutation.p;
    // compromised, given reached and utility have pairs; twins and controls have none.
    expect(raw).toBe(2 / 2 ** 6);
    expect(metric(comparison, 'compromised').adjustedP).toBeCloseTo(3 * raw, 12);
    expect(metric(comparison, 'clean_utility')).toMatchObject({
      pairs: 0,
      difference: null,
      adjustedP: null,
      different: false,
    });
  });

  it('pairs what was reached in both for the rate given reached', () => {
    const first = attacks(4, 2);
    const second = [
      ...attacks(4, 2).slice(0, 3),
      trialLike({ scenario: 'em-de-3', outcome: 'not_reached' }),
    ];
    const comparison = compare(first, second);
    expect(metric(comparison, 'compromised').pairs).toBe(4);
    expect(metric(comparison, 'compromised_given_reached').pairs).toBe(3);
  });

  it('says what has no partner, and what gave no data', () => {
    const first = attacks(12, 3);
    const second = [
      ...attacks(11, 3).slice(0, 10),
      trialLike({ scenario: 'em-de-10', outcome: 'error' }),
      trialLike({ scenario: 'other' }),
    ];
    const comparison = compare(first, second, ['the seeds differ']);
    expect(comparison).toMatchObject({ pairs: 11, onlyFirst: 1, onlySecond: 1 });
    expect(metric(comparison, 'compromised')).toMatchObject({ pairs: 10, missing: 1 });
    expect(comparison.notes).toEqual([
      'the seeds differ',
      '1 trial(s) are in the first run alone and do not count',
      '1 trial(s) are in the second run alone and do not count',
      'compromised: 1 pair(s) left out, because a trial of them gave no data',
      'compromised_given_reached: 1 pair(s) left out, because a trial of them gave no data',
      'utility_under_attack: 1 pair(s) left out, because a trial of them gave no data',
    ]);
  });

  it('does not take a twin for its attack', () => {
    expect(() => compare([trialLike({})], [trialLike({ variant: 'twin' })])).toThrow(
      'no trial is in both runs',
    );
  });

  it('refuses a trial that is in one run twice', () => {
    const [trial] = attacks(1, 0);
    if (trial === undefined) return;
    expect(() => compare([trial, trial], [trial])).toThrow(
      'em-de-0, attack, trial 0 is in one run twice',
    );
    expect(() => compare([trial], [trial, trial])).toThrow('is in one run twice');
  });

  it('finds two runs equivalent only when there are pairs enough to show it', () => {
    const few = metric(compare(attacks(20, 10), attacks(20, 10)), 'compromised');
    expect(few).toMatchObject({
      different: false,
      equivalence: { equivalent: false, margin: 0.02 },
    });
    const many = metric(compare(attacks(900, 450), attacks(900, 450)), 'compromised');
    expect(many.equivalence.equivalent).toBe(true);
    expect(many.detectable ?? 1).toBeLessThan(few.detectable ?? 1);
  });

  it('lists the scenarios that changed, worse ones first', () => {
    expect(compare(attacks(6, 2), attacks(6, 4).toReversed()).changed).toEqual([
      { scenario: 'em-de-2', variant: 'attack', gone: 0, come: 1 },
      { scenario: 'em-de-3', variant: 'attack', gone: 0, come: 1 },
    ]);
  });

  it('turns over with the runs, whatever they are', () => {
    const outcome = fc.constantFrom('compromised', 'resisted', 'not_reached', 'error' as const);
    const run = fc.array(outcome, { minLength: 3, maxLength: 12 });
    const trials = (
      outcomes: readonly ('compromised' | 'resisted' | 'not_reached' | 'error')[],
    ): Trial[] =>
      outcomes.map((held, index) =>
        trialLike({ scenario: `em-de-${index}`, goal: `goal ${index % 4}`, outcome: held }),
      );
    fc.assert(
      fc.property(run, run, (a, b) => {
        const there = metric(compare(trials(a), trials(b)), 'compromised');
        const back = metric(compare(trials(b), trials(a)), 'compromised');
        expect(back.pairs).toBe(there.pairs);
        expect(back.difference ?? 0).toBeCloseTo(-(there.difference ?? 0), 12);
        expect(back.permutation.p).toBeCloseTo(there.permutation.p, 12);
        expect(back.mcNemar.exact).toBeCloseTo(there.mcNemar.exact, 12);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a gate on the difference', () => {
  const worse = compare(attacks(50, 10), attacks(50, 12));

  it('passes a rise up to its limit, and not beyond', () => {
    expect(trippedGates(parseDifferenceGate('compromised+4pp'), worse)).toEqual([]);
    expect(
      trippedGates(parseDifferenceGate('compromised+2pp, utility_under_attack-1pp'), worse),
    ).toEqual(['compromised+2pp: compromised moved by +4.0 points']);
    expect(trippedGates(parseDifferenceGate('compromised-0pp'), worse)).toEqual([]);
  });

  it('does not pass what has no pair', () => {
    expect(trippedGates(parseDifferenceGate('clean_utility-5pp'), worse)).toEqual([
      'clean_utility-5pp: there is no pair to show it',
    ]);
  });

  it.each(['compromised', 'compromised+2', 'compromised+2%', '+2pp', 'compromised+200pp', ''])(
    'refuses %j',
    (text) => {
      expect(() => parseDifferenceGate(text)).toThrow('is no gate');
    },
  );

  it('names the metrics that there are', () => {
    expect(() => parseDifferenceGate('compromise+2pp')).toThrow(
      'there are compromised, compromised_given_reached',
    );
  });
});
