import type { Path, Place, Problem } from './problem.js';
import { pathText } from './problem.js';

/** A parsed document that knows where its values stand. */
export interface Document {
  readonly file: string;
  readonly value: unknown;
  /** The place of the value at a path, or of its nearest parent. */
  readonly locate: (path: Path, target?: 'key' | 'value') => Place;
}

export function problemAt(
  document: Document,
  path: Path,
  message: string,
  target: 'key' | 'value' = 'value',
): Problem {
  return { file: document.file, ...document.locate(path, target), path: pathText(path), message };
}

/** Longest line that a corpus file may have, in UTF-16 code units. A scenario is a few kilobytes. */
export const MAX_LINE = 4 * 1024 * 1024;

export type Decoded = { readonly text: string } | { readonly problem: Problem };

/**
 * Reads the bytes of a corpus file. Its bytes are part of an official number (digests), so one spelling is allowed: UTF-8, no
 * byte order mark, lines that end with LF.
 */
export function decodeCorpusText(bytes: Uint8Array, file: string): Decoded {
  const at = (line: number, column: number, message: string): Decoded => ({
    problem: { file, line, column, path: '', message },
  });
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return at(1, 1, 'the file begins with a byte order mark; save it as UTF-8 without BOM');
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return at(1, 1, 'the file is UTF-16; save it as UTF-8 without BOM');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const { line, column } = firstInvalid(bytes);
    return at(line, column, 'this is not valid UTF-8; save the file as UTF-8');
  }
  let start = 0;
  for (let line = 1; start <= text.length; line += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    if (end - start > MAX_LINE) {
      return at(
        line,
        1,
        `the line has ${end - start} characters, more than the ${MAX_LINE} allowed; a scenario is a few thousand, so split or shorten it`,
      );
    }
    if (text.charCodeAt(end - 1) === 13 && end > start) {
      return at(
        line,
        end - start,
        'the line ends with CRLF; convert the file to LF line ends (git: `* text=auto eol=lf`)',
      );
    }
    if (found === -1) break;
    start = found + 1;
  }
  return { text };
}

/** Line and column of the first byte that is not UTF-8, found by halving. */
function firstInvalid(bytes: Uint8Array): Place {
  const valid = (end: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (valid(middle)) low = middle;
    else high = middle - 1;
  }
  const before = new TextDecoder().decode(bytes.subarray(0, low));
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
