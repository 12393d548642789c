/** A path into a value: keys and indexes. */
export type Path = readonly (string | number)[];

export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** One thing that is wrong in a file: where, what, and what to do. */
export interface Problem extends Place {
  readonly file: string;
  /** JSON-path-like, e.g. `injections[0].payload`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
}

export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\w$-]+$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

// Control characters of a hostile file must not reach a terminal.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text that is safe to show: control and direction characters as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(CONTROL, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** `file:line:column: path: message`, one line. */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  const place = path === '' ? '' : `${path}: `;
  return printable(`${file}:${line}:${column}: ${place}${message}`);
}
