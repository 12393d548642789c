import { digest } from '../digest.js';
import { isObject, own } from '../json.js';
import { World } from '../schema/world.js';
import { fromInjectionBench, looksLikeInjectionBench } from './agent-injection-bench.js';
import { assemble, type Entry, type Loaded, looksLikeWorld } from './assemble.js';
import { type Document, decodeCorpusText, problemAt } from './document.js';
import { type Problem, pathText } from './problem.js';

/** What the first line of a compiled corpus says of it. */
export interface CorpusHeader {
  readonly name: string;
  readonly version: string;
}

export interface LoadedJsonl extends Loaded {
  readonly header: CorpusHeader | undefined;
}

function lineDocument(file: string, line: number, value: unknown): Document {
  return { file, value, locate: () => ({ line, column: 1 }) };
}

interface Sorted {
  readonly worlds: Entry[];
  readonly scenarios: Entry[];
  readonly problems: Problem[];
  header: CorpusHeader | undefined;
}

/** Whether a digest belongs to a world; true also for what is no world, which is reported as that. */
function isDigestOf(said: string, world: unknown): boolean {
  // A compiled world has every default written out, so it need not be parsed to be digested.
  if (digest(world) === said) return true;
  const parsed = World.safeParse(world);
  return !parsed.success || digest(parsed.data) === said;
}

function sortLine(document: Document, sorted: Sorted): void {
  const { value } = document;
  const whole = { document, at: [], value };
  if (!isObject(value)) {
    sorted.problems.push(problemAt(document, [], 'a line must be a JSON object'));
    return;
  }
  const header = own(value, 'corpus');
  if (isObject(header)) {
    const { name, version } = header;
    if (typeof name === 'string' && typeof version === 'string') sorted.header = { name, version };
    else sorted.problems.push(problemAt(document, ['corpus'], 'needs "name" and "version"'));
    return;
  }
  if (isObject(own(value, 'world')) && !('id' in value)) {
    const inner = own(value, 'world');
    sorted.worlds.push({ document, at: ['world'], value: inner });
    const said = own(value, 'digest');
    if (typeof said === 'string' && !isDigestOf(said, inner)) {
      sorted.problems.push(
        problemAt(
          document,
          ['digest'],
          'does not belong to this world: it was changed after it was compiled; compile the corpus again',
        ),
      );
    }
    return;
  }
  if (isObject(own(value, 'scenario'))) {
    sorted.scenarios.push({ document, at: ['scenario'], value: own(value, 'scenario') });
    return;
  }
  if (looksLikeInjectionBench(value)) {
    const converted = fromInjectionBench(value);
    if ('problems' in converted) {
      for (const { path, message } of converted.problems) {
        sorted.problems.push({ ...problemAt(document, path, message), path: pathText(path) });
      }
      return;
    }
    sorted.worlds.push({ document, at: [], value: converted.world });
    sorted.scenarios.push({ document, at: [], value: converted.scenario });
    return;
  }
  (looksLikeWorld(value) ? sorted.worlds : sorted.scenarios).push(whole);
}

/**
 * Loads scenarios from JSON Lines: a compiled corpus, scenarios and worlds one a line, or agent-injection-bench's format
 * (its lines become scenarios marked `imported` and `verbatim_canary`). Lines that are empty or begin with `#` are
 * skipped. A file without a scenario is a problem, not an empty corpus.
 */
export function loadJsonl(
  bytes: Uint8Array,
  file: string,
  known?: ReadonlyMap<string, World>,
): LoadedJsonl {
  const decoded = decodeCorpusText(bytes, file);
  if ('problem' in decoded) {
    return { scenarios: [], worlds: new Map(), problems: [decoded.problem], header: undefined };
  }
  const sorted: Sorted = { worlds: [], scenarios: [], problems: [], header: undefined };
  for (const [index, text] of decoded.text.split('\n').entries()) {
    if (text.trim() === '' || text.startsWith('#')) continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      sorted.problems.push(
        problemAt(
          lineDocument(file, index + 1, undefined),
          [],
          `this line is not JSON: ${message.slice(0, 200)}`,
        ),
      );
      continue;
    }
    sortLine(lineDocument(file, index + 1, value), sorted);
  }
  const loaded = assemble(sorted.worlds, sorted.scenarios, known);
  const problems = [...sorted.problems, ...loaded.problems].toSorted((a, b) => a.line - b.line);
  if (sorted.scenarios.length === 0 && problems.length === 0) {
    problems.push({
      file,
      line: 1,
      column: 1,
      path: '',
      message: 'there is no scenario in this file; an empty corpus measures nothing',
    });
  }
  return { ...loaded, problems, header: sorted.header };
}
