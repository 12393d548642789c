import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scoreCommand } from '../../src/commands/score.js';
import type { ScoreDocument } from '../../src/score/score.js';
import { runCommand } from '../detector/surroundings.js';

const data =
  process.env['PAB_SHARED_DATA'] ??
  fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const archive = `${data}/agentdyn-runs/agentdyn-runs.tar.gz`;
const absent = existsSync(archive) ? '' : ' (skipped: the folder ../shared/data is absent)';

// Attacked, errors, delivered, success by the source, compromised, useful under attack, benign n, benign useful.
const KNOWN = {
  'gpt-4o-2024-08-06': [560, 0, 541, 218, 218, 310, 60, 32],
  'meta-llama_llama-3.3-70b-instruct': [559, 1, 189, 70, 69, 36, 59, 6],
  'gpt-4o-2024-08-06-piguard_detector': [560, 0, 14, 10, 10, 8, 60, 6],
} as const;

const INTERVALS = {
  'gpt-4o-2024-08-06': { Wilson: [35.0, 43.0], 'cluster bootstrap by goal': [28.4, 52.1] },
  'meta-llama_llama-3.3-70b-instruct': {
    Wilson: [10.0, 15.5],
    'cluster bootstrap by goal': [6.6, 19.5],
  },
} as const;

describe.skipIf(absent !== '')(`the public logs of AgentDyn${absent}`, { timeout: 120_000 }, () => {
  const read = async (): Promise<ScoreDocument> =>
    JSON.parse(
      (await runCommand(scoreCommand, ['score', archive, '--json'])).stdout,
    ) as ScoreDocument;

  it('give the known counts, the known disagreements and the known intervals', async () => {
    const document = await read();
    expect([document.trials, document.files, document.rejected]).toEqual([1944, 1944, 0]);
    const counts = Object.entries(document.by_pipeline).map(([name, group]) => [
      name,
      [
        group.attacked,
        group.errors,
        group.delivered,
        group.source_compromised,
        group.compromised,
        group.useful_under_attack,
        group.benign.n,
        group.benign.useful,
      ],
    ]);
    expect(Object.fromEntries(counts)).toEqual(KNOWN);
    expect(
      document.disagreements.map(({ pipeline, suite, task, goal }) => [
        pipeline,
        suite,
        task,
        goal,
      ]),
    ).toEqual([
      ['meta-llama_llama-3.3-70b-instruct', 'github', 'user_task_0', 'injection_task_3'],
      ['meta-llama_llama-3.3-70b-instruct', 'shopping', 'user_task_0', null],
    ]);
    for (const [name, expected] of Object.entries(INTERVALS)) {
      const intervals = document.by_pipeline[name]?.rates.compromise.intervals ?? [];
      for (const [method, [low, high]] of Object.entries(expected)) {
        const found = intervals.find((interval) => interval.method === method);
        expect(Math.abs((found?.low ?? 1) * 100 - low), `${name} ${method}`).toBeLessThan(1.5);
        expect(Math.abs((found?.high ?? 0) * 100 - high), `${name} ${method}`).toBeLessThan(1.5);
      }
    }
  });
});
