/** One piece of a JSON document, not parsed yet. `key` is set for the entries of an object. */
export interface JsonElement {
  readonly text: string;
  readonly index: number;
  readonly key?: string;
  readonly line: number;
  /** Longer than the limit: `text` is its start only. */
  readonly cut: boolean;
}

/** What ended the document: all well, or why the rest could not be split. */
export interface ElementsEnd {
  readonly end: true;
  readonly problem: string | null;
  readonly line: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const NEWLINE = 10;

/**
 * Splits the top array (or, for `object`, the top object) of a JSON document into its elements without
 * holding more than one, so that a list of any length streams and a broken element spoils only itself.
 */
export async function* splitJsonElements(
  chunks: AsyncIterable<string>,
  kind: 'array' | 'object',
  limit: number,
): AsyncGenerator<JsonElement | ElementsEnd> {
  const open = kind === 'array' ? '[' : '{';
  const close = kind === 'array' ? ']' : '}';
  let state: 'before' | 'inside' | 'after' = 'before';
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let line = 1;
  let startLine = 1;
  let index = 0;
  let pieces: string[] = [];
  let held = 0;
  let cut = false;
  let started = false;
  let problem: string | null = null;

  const take = (piece: string): void => {
    if (held + piece.length > limit) {
      cut = true;
      piece = piece.slice(0, Math.max(0, limit - held));
    }
    if (piece !== '') {
      pieces.push(piece);
      held += piece.length;
    }
  };
  const finish = (): JsonElement | null => {
    const text = pieces.join('').trim();
    const element = text === '' && !cut ? null : { text, index, line: startLine, cut };
    pieces = [];
    held = 0;
    cut = false;
    started = false;
    return element;
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      const code = chunk.charCodeAt(i);
      if (code === NEWLINE) line += 1;
      if (quoted) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) quoted = false;
        continue;
      }
      const blank = code === 32 || code === NEWLINE || code === 13 || code === 9;
      if (state === 'before') {
        if (blank) continue;
        if (chunk[i] !== open) {
          yield { end: true, problem: `expected ${open} at the start`, line };
          return;
        }
        state = 'inside';
        from = i + 1;
        continue;
      }
      if (state === 'after') {
        if (!blank && problem === null) problem = `text after the closing ${close}`;
        continue;
      }
      if (blank) continue;
      if (!started && code !== 44) {
        started = true;
        startLine = line;
      }
      if (code === QUOTE) quoted = true;
      else if (code === 123 || code === 91) depth += 1;
      else if (code === 125 || code === 93) {
        if (depth > 0) depth -= 1;
        else {
          take(chunk.slice(from, i));
          const element = finish();
          if (element !== null) yield element;
          if (chunk[i] !== close) problem = `${chunk[i] ?? ''} where ${close} was expected`;
          state = 'after';
          from = chunk.length;
        }
      } else if (code === 44 && depth === 0) {
        take(chunk.slice(from, i));
        from = i + 1;
        const element = finish();
        yield element ?? { text: '', index, line, cut: false };
        index += 1;
      }
    }
    if (state === 'inside') take(chunk.slice(from));
  }
  if (state === 'inside') {
    const element = finish();
    if (element !== null) yield element;
    problem = 'the document breaks off';
  }
  yield { end: true, problem: state === 'before' ? 'nothing in the file' : problem, line };
}
