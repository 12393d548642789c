import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Schema, Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { sarifLog } from '../../src/index.js';
import { HOSTILE, reportRunOf } from '../fixture/report-run.js';
import { trialLike } from '../fixture/trials.js';

/** The schema of the standard, from the package that ships it; undefined where it is not installed. */
function officialSchema(): Schema | undefined {
  try {
    const { resolve } = createRequire(import.meta.url);
    const file = resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
    return JSON.parse(readFileSync(file, 'utf8')) as Schema;
  } catch {
    return undefined;
  }
}

const TRIALS = [
  trialLike({ scenario: 'em-de-1', outcome: 'compromised', goal: HOSTILE }),
  trialLike({ scenario: 'em-de-1', outcome: 'compromised', goal: HOSTILE, trial: 1 }),
  trialLike({ scenario: 'em-de-1', trial: 2 }),
  trialLike({ scenario: 'em-de-2', outcome: 'error', error: { code: 'timeout', message: 'slow' } }),
  trialLike({ scenario: 'em-de-3', variant: 'control', outcome: 'over_refused', utility: false }),
];

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly Record<string, unknown>[];
  }[];
}

describe('a SARIF log', () => {
  const log = JSON.parse(JSON.stringify(sarifLog(reportRunOf(TRIALS), TRIALS))) as Log;

  it('has one result for each scenario that went wrong, and counts its trials', () => {
    const [run] = log.runs;
    expect(
      run?.results.map(({ ruleId, level, properties }) => ({ ruleId, level, properties })),
    ).toEqual([
      {
        ruleId: 'compromised/data_exfiltration',
        level: 'error',
        properties: { count: 2, trials: 3, delivered: 'full' },
      },
      { ruleId: 'error', level: 'note', properties: { count: 1, trials: 1, delivered: 'none' } },
      {
        ruleId: 'over_refused',
        level: 'warning',
        properties: { count: 1, trials: 1, delivered: 'none' },
      },
    ]);
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual([
      'compromised/data_exfiltration',
      'error',
      'over_refused',
    ]);
  });

  it('gives the same fingerprint to the same finding of another run, and another to another', () => {
    const prints = (held: Log): unknown[] =>
      held.runs[0]?.results.map(({ partialFingerprints }) => partialFingerprints) ?? [];
    const again = sarifLog(
      reportRunOf(TRIALS, { name: 'other', started: '2027-02-01T00:00:00.000Z' }),
      TRIALS,
    ) as Log;
    expect(prints(again)).toEqual(prints(log));
    expect(new Set(prints(log).map((print) => JSON.stringify(print))).size).toBe(3);
  });

  const schema = officialSchema();
  it.skipIf(schema === undefined)(
    'holds to the schema of SARIF 2.1.0, with findings and without',
    () => {
      const validator = new Validator(schema ?? {}, '4', false);
      for (const trials of [TRIALS, [trialLike({})]]) {
        const { valid, errors } = validator.validate(
          JSON.parse(JSON.stringify(sarifLog(reportRunOf(trials), trials))),
        );
        expect(errors).toEqual([]);
        expect(valid).toBe(true);
      }
      expect(validator.validate({ version: '2.1.0', runs: [{ results: [] }] }).valid).toBe(false);
    },
  );
});
