import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { RUN_READERS } from '../../src/recorded/registry.js';
import { RUN_FORMATS } from '../../src/runs.js';
import { collect } from '../reading.js';
import { dojoText, lines, readAll, rejectsOf, trialsOf } from './reading-runs.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function tarGz(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return gzipSync(Buffer.concat(await collect(archive as AsyncIterable<Uint8Array>)));
}

const TAU = { task_id: 1, reward: 1, info: {}, traj: [{ role: 'user', content: 'x' }], trial: 0 };

describe('recorded runs', () => {
  it('have a reader for every format', () => {
    expect(new Set(RUN_READERS.map(({ format }) => format))).toEqual(new Set(RUN_FORMATS));
  });

  it('come out of a .tar.gz and a .zip as out of files, each file told by itself', async () => {
    const files = { 'a/log.json': dojoText(), 'b/tau.json': JSON.stringify([TAU]) };
    const seen: string[] = [];
    const tar = await readAll('r.tar.gz', await tarGz(files), {
      onFile: (name) => seen.push(name),
    });
    expect(trialsOf(tar).map(({ format }) => format)).toEqual(['agentdojo', 'tau']);
    expect(seen).toEqual(['r.tar!a/log.json', 'r.tar!b/tau.json']);
    const zip = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)])),
    );
    expect(trialsOf(await readAll('r.zip', zip)).map(({ format }) => format)).toEqual([
      'agentdojo',
      'tau',
    ]);
  });

  it('keep what stood before the break of a truncated archive, and say where it broke', async () => {
    const noise = Array.from({ length: 40_000 }, (_, index) => Math.sin(index).toString(36)).join(
      '',
    );
    const whole = await tarGz({ 'a.json': dojoText(), 'b.json': dojoText({ note: noise }) });
    const items = await readAll('r.tar.gz', whole.subarray(0, whole.length - 20_000));
    expect(trialsOf(items)).toHaveLength(1);
    expect(rejectsOf(items)).toEqual([
      'r.tar!b.json: gzip stream is broken (Z_BUF_ERROR)',
      'r.tar: gzip stream is broken (Z_BUF_ERROR)',
    ]);
  });

  it('name what a file of another format looks like', async () => {
    const items = await readAll('x.json', JSON.stringify([TAU]), { format: 'agentdojo' });
    expect(rejectsOf(items)).toEqual([
      'x.json:1: not an AgentDojo log; it looks like a tau-bench result',
    ]);
    const set = lines({
      'Attacker Tools': ['T'],
      'Attacker Instruction': 'x',
      'User Tool': 'U',
      'User Instruction': 'y',
      'Tool Response': '"z"',
    });
    expect(rejectsOf(await readAll('set.json', set))).toEqual([
      'set.json:1: not a recorded run of a known format; it looks like a set of InjecAgent, which `pab harvest` reads',
    ]);
    expect(rejectsOf(await readAll('a.csv', 'colour,size\nred,3\n'))).toEqual([
      'a.csv:2: not a recorded run of a known format',
    ]);
  });

  it('make of every row a trial or a reject', async () => {
    const rows = [TAU, { ...TAU, reward: 'high' }, TAU].map((row) => JSON.stringify(row));
    const items = await readAll('t.jsonl', `${rows.join('\n')}\n{"task_id":9,`);
    expect(trialsOf(items)).toHaveLength(2);
    expect(rejectsOf(items)).toEqual([
      't.jsonl:2: expected task_id, a numeric reward and traj',
      expect.stringMatching(/^t\.jsonl:4: not JSON/u),
    ]);
  });

  it('read trials of our own runs', async () => {
    const trial = {
      schema: 1,
      scenario: 'em-x-001',
      trial: 1,
      goal: 'send the key',
      taskId: 'notes',
      world: 'desk',
      family: 'data_exfiltration',
      target: 'naive',
      defense: 'none',
      judgement: {
        variant: 'attack',
        outcome: 'compromised',
        stages: { delivered: 'full' },
        utility: true,
        notes: [],
      },
    };
    const broken = { ...trial.judgement, outcome: 'error', notes: ['timeout: 60 s'] };
    const twin = { ...trial.judgement, variant: 'twin', outcome: 'completed' };
    const items = await readAll(
      'trials.jsonl',
      lines(trial, { ...trial, judgement: broken }, { ...trial, judgement: twin }),
    );
    expect(trialsOf(items)).toMatchObject([
      {
        pipeline: 'naive × none',
        suite: 'desk',
        verdict: { compromised: true, useful: true },
        delivered: true,
        repeat: 1,
      },
      { error: 'timeout: 60 s', verdict: { compromised: null, useful: null } },
      { purpose: 'benign', goal: null, verdict: { compromised: null, useful: true } },
    ]);
  });
});
