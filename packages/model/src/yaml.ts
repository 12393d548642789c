import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { assemble, type Entry, type Loaded, looksLikeWorld } from './load/assemble.js';
import { type Document, decodeCorpusText } from './load/document.js';
import type { Path, Place, Problem } from './load/problem.js';
import type { World } from './schema/world.js';

/** A file of an authored corpus, read by the caller. */
export interface CorpusFile {
  /** As it is named in errors. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

const MAX_ALIASES = 64;

function startOf(node: Node | null | undefined): number | undefined {
  return node?.range?.[0];
}

function locator(root: Node | null, lines: LineCounter): Document['locate'] {
  const place = (offset: number | undefined): Place => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return (path: Path, target = 'value') => {
    let node: Node | null | undefined = root;
    let offset = startOf(root);
    for (const [index, step] of path.entries()) {
      if (isMap(node)) {
        const pair: Pair | undefined = node.items.find(
          ({ key }) => isScalar(key) && String(key.value) === String(step),
        );
        if (pair === undefined) break;
        const key = pair.key as Node;
        const value = pair.value as Node | null;
        const last = index === path.length - 1;
        offset = (last && target === 'key') || value === null ? startOf(key) : startOf(value);
        node = value;
      } else if (isSeq(node)) {
        const item = node.items[Number(step)] as Node | undefined;
        if (item === undefined) break;
        offset = startOf(item);
        node = item;
      } else break;
    }
    return place(offset);
  };
}

function parseFile({ file, bytes }: CorpusFile): Document | Problem[] {
  const decoded = decodeCorpusText(bytes, file);
  if ('problem' in decoded) return [decoded.problem];
  const lines = new LineCounter();
  const parsed = parseDocument(decoded.text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    merge: false,
  });
  if (parsed.errors.length > 0) {
    return parsed.errors.map(({ pos: [offset], message }) => {
      const { line, col } = lines.linePos(offset);
      return {
        file,
        line: Math.max(1, line),
        column: Math.max(1, col),
        path: '',
        message: `this is not YAML: ${message}`,
      };
    });
  }
  const locate = locator(parsed.contents, lines);
  try {
    return { file, value: parsed.toJS({ maxAliasCount: MAX_ALIASES }) as unknown, locate };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [
      { file, line: 1, column: 1, path: '', message: `this YAML cannot be read: ${message}` },
    ];
  }
}

/**
 * Loads an authored corpus: YAML files with one world or one scenario each, in any order. All problems of all files are reported, with
 * line and column.
 *
 * @param known worlds from elsewhere that scenarios may name, e.g. those of the bundled corpus
 */
export function loadYaml(files: readonly CorpusFile[], known?: ReadonlyMap<string, World>): Loaded {
  const problems: Problem[] = [];
  const worlds: Entry[] = [];
  const scenarios: Entry[] = [];
  for (const file of files) {
    const document = parseFile(file);
    if (Array.isArray(document)) {
      problems.push(...document);
      continue;
    }
    const entry: Entry = { document, at: [], value: document.value };
    (looksLikeWorld(document.value) ? worlds : scenarios).push(entry);
  }
  const loaded = assemble(worlds, scenarios, known);
  return { ...loaded, problems: [...problems, ...loaded.problems] };
}
