/** Whether nothing but spaces, tabs and a `\r` stands in a part of a text. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== 32 && unit !== 9 && unit !== 13) return false;
  }
  return true;
}

/** A line without its end. `cut` says that it was longer than the limit and that the rest is gone. */
export interface Line {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  readonly cut: boolean;
}

export interface SplitOptions {
  /**
   * False counts lines of white space without giving them. A small archive can hold millions, and to give one costs far
   * more than to pass over it. Default true.
   */
  readonly blank?: boolean;
}

/**
 * Splits text at `\n` (a `\r` before it is dropped) and nowhere else: U+2028 may stand inside JSON.
 * Holds at most `limit` characters of one line.
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  limit: number,
  { blank = true }: SplitOptions = {},
): AsyncGenerator<Line> {
  let pieces: string[] = [];
  let held = 0;
  let cut = false;
  let number = 0;
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
  const finish = (): Line => {
    number += 1;
    const joined = pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
    const line = { text: joined.endsWith('\r') ? joined.slice(0, -1) : joined, number, cut };
    pieces = [];
    held = 0;
    cut = false;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const passed = !blank && held === 0 && isBlank(chunk, start, end);
      if (passed) number += 1;
      else {
        take(chunk.slice(start, end));
        yield finish();
      }
      start = end + 1;
    }
    take(chunk.slice(start));
  }
  if (held > 0) yield finish();
}
