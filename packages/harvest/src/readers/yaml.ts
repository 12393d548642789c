import { parseAllDocuments } from 'yaml';
import type { Place, ReadItem } from '../row.js';
import { reject } from '../row.js';
import { invalidByte } from './decode-text.js';

/** Gives the text of an included file, or null where there is none that may be read. */
export type Include = (relative: string) => Promise<string | null>;

const MAX_INCLUDES = 64;

type Parsed =
  | { readonly ok: true; readonly values: unknown[] }
  | { readonly ok: false; readonly reason: string; readonly line: number };

interface Hole {
  readonly include: string;
}

/** A path that stays below the folder of the file that names it. */
export function isConfined(relative: string): boolean {
  if (relative === '' || relative.startsWith('/') || /[\\:\0]/u.test(relative)) return false;
  return !relative.split('/').some((step) => step === '..' || step === '');
}

function parseText(text: string, holes: Map<object, string>): Parsed {
  const includeTag = {
    tag: '!include',
    resolve: (path: string): Hole => {
      const hole = { include: path };
      holes.set(hole, path);
      return hole;
    },
  };
  let documents: ReturnType<typeof parseAllDocuments>;
  try {
    documents = parseAllDocuments(text, {
      customTags: [includeTag],
      uniqueKeys: true,
      logLevel: 'silent',
    });
  } catch (error) {
    return {
      ok: false,
      reason: `not YAML: ${error instanceof Error ? error.name : 'error'}`,
      line: 1,
    };
  }
  if (!Array.isArray(documents)) return { ok: true, values: [] };
  const values: unknown[] = [];
  for (const document of documents) {
    const [problem] = document.errors;
    if (problem !== undefined) {
      return {
        ok: false,
        reason: `not YAML: ${problem.code}`,
        line: problem.linePos?.[0].line ?? 1,
      };
    }
    try {
      // Anchors that multiply each other are refused instead of being unfolded.
      values.push(document.toJS({ maxAliasCount: 100 }));
    } catch {
      return { ok: false, reason: 'not YAML: too many aliases', line: 1 };
    }
  }
  return { ok: true, values };
}

/** Puts the included values where their tags stood. */
function fill(value: unknown, filled: Map<object, unknown>, seen: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (filled.has(value)) return filled.get(value);
  const known = seen.get(value);
  if (known !== undefined) return known;
  const copy: unknown = Array.isArray(value)
    ? value.map((item) => fill(item, filled, seen))
    : Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, fill(item, filled, seen)]),
      );
  if (typeof copy === 'object' && copy !== null) seen.set(value, copy);
  return copy;
}

interface Budget {
  left: number;
}

async function resolve(
  text: string,
  include: Include,
  budget: Budget,
  depth: number,
): Promise<Parsed> {
  const byte = invalidByte(text);
  if (byte !== null)
    return { ok: false, reason: `not UTF-8: byte 0x${byte.toString(16)}`, line: 1 };
  const holes = new Map<object, string>();
  const parsed = parseText(text, holes);
  if (!parsed.ok || holes.size === 0) return parsed;
  const filled = new Map<object, unknown>();
  for (const [hole, path] of holes) {
    const refuse = (why: string): Parsed => ({
      ok: false,
      reason: `!include ${path}: ${why}`,
      line: 1,
    });
    if (!isConfined(path)) return refuse('leaves the folder of the file');
    budget.left -= 1;
    if (budget.left < 0 || depth > 8) return refuse('too many includes');
    const content = await include(path);
    if (content === null) return refuse('no such file beside this one');
    const inner = await resolve(content, include, budget, depth + 1);
    if (!inner.ok) return { ok: false, reason: `!include ${path}: ${inner.reason}`, line: 1 };
    filled.set(hole, inner.values[0] ?? null);
  }
  return { ok: true, values: parsed.values.map((value) => fill(value, filled, new Map())) };
}

/**
 * YAML: each document is a row, and so is each item of a document that is a list. `!include` reads a file
 * below the folder of the document and nothing outside it.
 */
export async function* readYaml(
  file: string,
  text: string,
  include: Include,
): AsyncGenerator<ReadItem> {
  const parsed = await resolve(text, include, { left: MAX_INCLUDES }, 0);
  if (!parsed.ok) {
    yield reject({ file, line: parsed.line }, parsed.reason);
    return;
  }
  for (const [index, value] of parsed.values.entries()) {
    const top = parsed.values.length > 1 ? `$${index}` : '$';
    if (!Array.isArray(value)) {
      const place: Place = { file, path: top };
      if (value !== null) yield { kind: 'row', value, place };
      continue;
    }
    for (const [at, item] of value.entries()) {
      const place: Place = { file, path: `${top}[${at}]` };
      yield { kind: 'row', value: item, place };
    }
  }
}
