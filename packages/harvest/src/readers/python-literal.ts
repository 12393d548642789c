import { MAX_DEPTH } from './parse-json.js';

export type PythonLiteral =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string; readonly position: number };

class Stop extends Error {
  readonly position: number;
  constructor(reason: string, position: number) {
    super(reason);
    this.position = position;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
};
const HEX_LENGTH: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const WORDS: readonly (readonly [string, unknown])[] = [
  ['True', true],
  ['False', false],
  ['None', null],
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
];
const NUMBER = /-?(?:0[xX][0-9a-fA-F_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?)/y;
const WORD = /-?[A-Za-z_][A-Za-z0-9_]*/y;

/** One pass over the text; every step moves forward, so time is linear. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value(0);
    this.#blank();
    if (this.#at < this.#text.length) throw new Stop('text after the value', this.#at);
    return value;
  }

  #blank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 32 || (code >= 9 && code <= 13)) this.#at += 1;
      else return;
    }
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Stop(`nested deeper than ${MAX_DEPTH}`, this.#at);
    this.#blank();
    const char = this.#text[this.#at];
    if (char === undefined) throw new Stop('value missing', this.#at);
    if (char === '{') return this.#braces(depth);
    if (char === '[') return this.#items(']', depth).list;
    if (char === '(') {
      const { list, comma } = this.#items(')', depth);
      // Brackets around one value only group it.
      return list.length === 1 && !comma ? list[0] : list;
    }
    if (this.#atString()) return this.#strings();
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text);
    if (number !== null) return this.#number(number[0]);
    return this.#word();
  }

  #number(token: string): number {
    const value = Number(token.replaceAll('_', ''));
    if (Number.isNaN(value)) throw new Stop('not a number', this.#at);
    this.#at += token.length;
    return value;
  }

  #word(): unknown {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#text)?.[0] ?? '';
    const known = WORDS.find(([name]) => name === word);
    if (known === undefined) throw new Stop('not a literal', this.#at);
    this.#at += word.length;
    return known[1];
  }

  /** Values up to `close`, which is consumed; `comma` says whether one was followed by a comma. */
  #items(close: string, depth: number): { list: unknown[]; comma: boolean } {
    this.#at += 1;
    const list: unknown[] = [];
    let comma = false;
    for (;;) {
      this.#blank();
      if (this.#text[this.#at] === close) {
        this.#at += 1;
        return { list, comma };
      }
      if (list.length > 0 && !this.#comma()) throw new Stop(`expected , or ${close}`, this.#at);
      if (list.length > 0) comma = true;
      this.#blank();
      if (this.#text[this.#at] === close) continue;
      list.push(this.#value(depth + 1));
    }
  }

  #comma(): boolean {
    this.#blank();
    if (this.#text[this.#at] !== ',') return false;
    this.#at += 1;
    return true;
  }

  #braces(depth: number): unknown {
    const start = this.#at;
    this.#at += 1;
    this.#blank();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return {};
    }
    const first = this.#value(depth + 1);
    this.#blank();
    if (this.#text[this.#at] !== ':') return this.#set(first, depth);
    const entries: [string, unknown][] = [];
    let key = first;
    for (;;) {
      if (this.#text[this.#at] !== ':') throw new Stop('expected :', this.#at);
      this.#at += 1;
      if (typeof key === 'object' && key !== null) throw new Stop('key is not a scalar', start);
      entries.push([String(key), this.#value(depth + 1)]);
      const comma = this.#comma();
      this.#blank();
      if (this.#text[this.#at] === '}') {
        this.#at += 1;
        // Defines properties: a key `__proto__` is a plain key here.
        return Object.fromEntries(entries);
      }
      if (!comma) throw new Stop('expected , or }', this.#at);
      key = this.#value(depth + 1);
      this.#blank();
    }
  }

  #set(first: unknown, depth: number): unknown[] {
    const list = [first];
    for (;;) {
      const comma = this.#comma();
      this.#blank();
      if (this.#text[this.#at] === '}') {
        this.#at += 1;
        return list;
      }
      if (!comma) throw new Stop('expected , or }', this.#at);
      list.push(this.#value(depth + 1));
    }
  }

  #atString(): boolean {
    const char = this.#text[this.#at] ?? '';
    if (char === "'" || char === '"') return true;
    const next = this.#text[this.#at + 1] ?? '';
    if (!/[rRbBuU]/u.test(char)) return false;
    if (next === "'" || next === '"') return true;
    const third = this.#text[this.#at + 2] ?? '';
    return /[rRbB]/u.test(next) && (third === "'" || third === '"');
  }

  /** Adjacent literals are one string. */
  #strings(): string {
    const pieces: string[] = [];
    while (this.#atString()) {
      pieces.push(this.#string());
      this.#blank();
    }
    return pieces.join('');
  }

  #string(): string {
    let raw = false;
    while (!/['"]/u.test(this.#text[this.#at] ?? '"')) {
      raw ||= /[rR]/u.test(this.#text[this.#at] ?? '');
      this.#at += 1;
    }
    const quote = this.#text[this.#at] ?? "'";
    const start = this.#at;
    const end = this.#text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
    this.#at += end.length;
    const pieces: string[] = [];
    let from = this.#at;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || (char === '\n' && end.length === 1)) {
        throw new Stop('string is never closed', start);
      }
      if (this.#text.startsWith(end, this.#at)) break;
      if (char !== '\\') {
        this.#at += 1;
        continue;
      }
      if (raw) {
        this.#at += 2;
        continue;
      }
      pieces.push(this.#text.slice(from, this.#at), this.#escape());
      from = this.#at;
    }
    pieces.push(this.#text.slice(from, this.#at));
    this.#at += end.length;
    return pieces.join('');
  }

  #escape(): string {
    const kind = this.#text[this.#at + 1] ?? '';
    const plain = Object.hasOwn(ESCAPES, kind) ? ESCAPES[kind] : undefined;
    if (plain !== undefined) {
      this.#at += 2;
      return plain;
    }
    const length = Object.hasOwn(HEX_LENGTH, kind) ? (HEX_LENGTH[kind] ?? 0) : 0;
    if (length > 0) {
      const digits = this.#text.slice(this.#at + 2, this.#at + 2 + length);
      const code = Number.parseInt(digits, 16);
      if (digits.length < length || !/^[0-9a-fA-F]+$/u.test(digits) || code > 0x10ffff) {
        throw new Stop(`bad escape \\${kind}`, this.#at);
      }
      this.#at += 2 + length;
      return String.fromCodePoint(code);
    }
    const octal = /^[0-7]{1,3}/u.exec(this.#text.slice(this.#at + 1, this.#at + 4))?.[0];
    if (octal !== undefined) {
      this.#at += 1 + octal.length;
      return String.fromCharCode(Number.parseInt(octal, 8));
    }
    // Python keeps the backslash of an escape that it does not know.
    this.#at += 1;
    return '\\';
  }
}

/**
 * Reads what Python's `repr` writes: dictionaries, lists, tuples and sets (as lists), strings, numbers, `True`,
 * `False`, `None`, `nan`, `inf`. Nothing is evaluated. Total, and linear in the length.
 */
export function parsePythonLiteral(text: string): PythonLiteral {
  try {
    return { ok: true, value: new Reader(text).whole() };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ok: false, reason: error.message, position: error.position };
  }
}
