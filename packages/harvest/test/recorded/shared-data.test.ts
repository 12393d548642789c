import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileSource } from '../../src/index.js';
import { readRuns } from '../../src/runs.js';
import { hasSharedData, sharedFile, withoutSharedData } from '../shared-data.js';

interface Count {
  trials: number;
  rejects: number;
  compromised: number;
  errors: number;
  useful: number;
}

async function count(path: string): Promise<Count> {
  const found: Count = { trials: 0, rejects: 0, compromised: 0, errors: 0, useful: 0 };
  for await (const item of readRuns(await fileSource(sharedFile(path)))) {
    if (item.kind === 'reject') found.rejects += 1;
    else {
      found.trials += 1;
      if (item.error !== null) found.errors += 1;
      if (item.verdict.compromised === true) found.compromised += 1;
      if (item.verdict.useful === true) found.useful += 1;
    }
  }
  return found;
}

const whole = (trials: number, more: Partial<Count> = {}): Count => ({
  trials,
  rejects: 0,
  compromised: 0,
  errors: 0,
  useful: 0,
  ...more,
});

const SPIKEE = 'spikee/results_';
const INJECAGENT = 'injecagent-results/base__';

describe.skipIf(!hasSharedData)(
  `public recordings${withoutSharedData}`,
  { timeout: 60_000 },
  () => {
    it.each([
      [
        `${SPIKEE}az_gpt4o_mini-targeted-2024-12-full-prompt_1734599127.jsonl.gz`,
        whole(956, { compromised: 830 }),
      ],
      [
        `${SPIKEE}openai_o1-preview-targeted-2024-12-full-prompt_1734786001.jsonl.gz`,
        whole(956, { compromised: 413, errors: 108 }),
      ],
      [
        `${SPIKEE}az_prompt_shields-targeted-2024-12-document_1734615457.jsonl.gz`,
        whole(238, { compromised: 21 }),
      ],
      [
        `${SPIKEE}protect_ai_v2-1734615302_guardrail-false-positive-check_1734624442.jsonl.gz`,
        whole(30, { useful: 23 }),
      ],
      [`${INJECAGENT}gpt-4o__test_cases_dh_base.json`, whole(510, { compromised: 17, errors: 48 })],
      [`${INJECAGENT}gpt-4o__test_cases_ds_base.json`, whole(544, { compromised: 65, errors: 46 })],
      [
        `${INJECAGENT}Llama-3-70b-chat-hf__test_cases_ds_base.json`,
        whole(544, { compromised: 322, errors: 99 }),
      ],
      [
        'asb-logs/observation_prompt_injection__gpt-4o-2024-08-06__no_memory__naive-all_.csv',
        whole(400, { compromised: 289, useful: 281 }),
      ],
      [
        'asb-logs/memory_attack__gpt-4o-2024-08-06__new_memory__fake_completion-all_.csv',
        whole(400, { compromised: 37, useful: 271 }),
      ],
      ['garak/analyze__agg.report.jsonl', whole(9)],
      ['garak/analyze__qual_review_mixed.report.jsonl', whole(3, { compromised: 2 })],
      ['garak/report__report_test.report.jsonl', whole(8)],
      ['tau-bench/gpt-4o-airline.json', whole(200, { useful: 84 })],
    ])('%s', async (path, expected) => {
      expect(await count(path)).toEqual(expected);
    });

    it('every Inspect log gives its samples', async () => {
      const files = readdirSync(sharedFile('inspect-logs')).filter((name) => name !== 'LICENSE');
      const counts = await Promise.all(files.map((name) => count(`inspect-logs/${name}`)));
      expect(files).toHaveLength(21);
      expect(counts.reduce((sum, { trials }) => sum + trials, 0)).toBe(45);
      expect(counts.every(({ rejects }) => rejects === 0)).toBe(true);
    });
  },
);
