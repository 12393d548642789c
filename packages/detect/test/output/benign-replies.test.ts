import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { outputChecker } from '../../src/output/index.js';

/** Recorded replies of agents in everyday work; no trusted host is configured. */
const data =
  process.env['PAB_SHARED_DATA'] ?? new URL('../../../../../shared/data', import.meta.url).pathname;
const airline = `${data}/tau-bench/gpt-4o-airline.json`;
const archive = `${data}/agentdyn-runs/agentdyn-runs.tar.gz`;

/** Replies of the assistant in a log, whatever the shape of their content. */
function repliesIn(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  const replies: string[] = [];
  for (const message of messages as readonly unknown[]) {
    const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
    if (role !== 'assistant') continue;
    const parts: readonly unknown[] = Array.isArray(content) ? content : [{ content }];
    for (const part of parts) {
      const text = ((part ?? {}) as { content?: unknown }).content;
      if (typeof text === 'string') replies.push(text);
    }
  }
  return replies;
}

/** Names and contents of the files in a tar archive; enough for archives of plain files. */
function* filesIn(tar: Buffer): Generator<{ name: string; text: string }> {
  let at = 0;
  while (at + 512 <= tar.length && tar[at] !== 0) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8);
    yield { name, text: tar.toString('utf8', at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

function falseAlarms(replies: readonly string[]): string[] {
  const check = outputChecker();
  return replies.flatMap((reply) => check(reply).map(({ id, matched }) => `${id} ${matched}`));
}

describe('output checks on benign replies', () => {
  it.skipIf(!existsSync(airline))(
    'find nothing in the recorded airline conversations',
    () => {
      const runs = JSON.parse(readFileSync(airline, 'utf8')) as readonly { traj?: unknown }[];
      const replies = runs.flatMap(({ traj }) => repliesIn(traj));
      expect(replies.length).toBeGreaterThan(1000);
      expect(falseAlarms(replies)).toEqual([]);
    },
    30_000,
  );

  it.skipIf(!existsSync(archive))(
    'find nothing in the recorded agent runs without attack, and in those with one only what it brought about',
    () => {
      const benign: string[] = [];
      const attacked: string[] = [];
      for (const { name, text } of filesIn(gunzipSync(readFileSync(archive)))) {
        if (!name.endsWith('.json')) continue;
        const run = JSON.parse(text) as { messages?: unknown; attack_type?: unknown };
        const replies = repliesIn(run.messages);
        if (run.attack_type === null || run.attack_type === 'none') benign.push(...replies);
        else attacked.push(...replies);
      }
      expect(benign.length).toBeGreaterThan(100);
      expect(falseAlarms(benign)).toEqual([]);
      // The one URL carries the owner's mail address to the attacker's host, as the injection asked.
      expect(falseAlarms(attacked).map((one) => one.split(' ')[0])).toEqual(['PB-EXFIL-LINK']);
    },
    30_000,
  );
});
