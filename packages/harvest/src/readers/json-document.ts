import type { Place, ReadItem } from '../row.js';
import { reject } from '../row.js';
import { splitJsonElements } from './json-elements.js';
import { parseJson } from './parse-json.js';

/** One entry of a document whose top is an object, as `entries` gives it. */
export interface JsonEntry {
  readonly key: string;
  readonly value: unknown;
}

const KEY = /^"(?:[^"\\]|\\.)*"\s*:/u;

function readEntry(text: string): { key: string; rest: string } | null {
  const found = KEY.exec(text);
  if (found === null) return null;
  const key = parseJson(found[0].slice(0, -1).trimEnd());
  if (!key.ok || typeof key.value !== 'string') return null;
  return { key: key.value, rest: text.slice(found[0].length) };
}

/** A document whose top is a list: each element is a row. */
export async function* readJsonArray(
  file: string,
  chunks: AsyncIterable<string>,
  limit: number,
): AsyncGenerator<ReadItem> {
  for await (const element of splitJsonElements(chunks, 'array', limit)) {
    if ('end' in element) {
      if (element.problem !== null) {
        yield reject({ file, line: element.line }, `not a JSON list: ${element.problem}`);
      }
      return;
    }
    const place: Place = { file, line: element.line, path: `$[${element.index}]` };
    if (element.cut) {
      yield reject(place, `element is longer than ${limit} characters`, element.text);
      continue;
    }
    const parsed = parseJson(element.text);
    if (!parsed.ok) yield reject(place, parsed.reason, element.text);
    else if (parsed.notes.length > 0) {
      yield { kind: 'row', value: parsed.value, place, notes: parsed.notes };
    } else yield { kind: 'row', value: parsed.value, place };
  }
}

/** A document whose top is an object, entry by entry: each row is a `JsonEntry`. */
export async function* readJsonEntries(
  file: string,
  chunks: AsyncIterable<string>,
  limit: number,
): AsyncGenerator<ReadItem> {
  for await (const element of splitJsonElements(chunks, 'object', limit)) {
    if ('end' in element) {
      if (element.problem !== null) {
        yield reject({ file, line: element.line }, `not a JSON object: ${element.problem}`);
      }
      return;
    }
    const at: Place = { file, line: element.line, path: `$#${element.index}` };
    if (element.cut) {
      yield reject(at, `entry is longer than ${limit} characters`, element.text);
      continue;
    }
    const entry = readEntry(element.text);
    if (entry === null) {
      yield reject(at, 'not JSON: expected "key": value', element.text);
      continue;
    }
    const place: Place = { file, line: element.line, path: `$[${JSON.stringify(entry.key)}]` };
    const parsed = parseJson(entry.rest);
    if (!parsed.ok) yield reject(place, parsed.reason, element.text);
    else {
      const value: JsonEntry = { key: entry.key, value: parsed.value };
      yield parsed.notes.length > 0
        ? { kind: 'row', value, place, notes: parsed.notes }
        : { kind: 'row', value, place };
    }
  }
}

/** A document that is one value: one row. */
export async function* readJsonValue(
  file: string,
  chunks: AsyncIterable<string>,
  limit: number,
): AsyncGenerator<ReadItem> {
  const pieces: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) {
      yield reject({ file, path: '$' }, `document is longer than ${limit} characters`, pieces[0]);
      return;
    }
    pieces.push(chunk);
  }
  const text = pieces.join('');
  const place: Place = { file, path: '$' };
  const parsed = parseJson(text);
  if (!parsed.ok) yield reject(place, parsed.reason, text);
  else if (parsed.notes.length > 0) {
    yield { kind: 'row', value: parsed.value, place, notes: parsed.notes };
  } else yield { kind: 'row', value: parsed.value, place };
}
