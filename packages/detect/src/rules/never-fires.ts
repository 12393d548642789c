import { decodeViews } from '../views/index.js';
import { readClass } from './char-class.js';

// Patterns are matched against texts in NFKC without invisible characters, in which all white space is single spaces. What
// such a text cannot have, a pattern that requires it never finds. A branch or a class that has something else as well is
// left alone.

/** What a pattern needs and no text has. */
export interface Unreadable {
  readonly text: string;
  /** UTF-16 offset in the pattern. */
  readonly offset: number;
  /** What stands in a text in its place; empty when nothing does. */
  readonly instead: string;
  /** White space, of which texts have single spaces. */
  readonly white?: boolean;
}

/** Finds what keeps a pattern from ever matching; undefined when nothing in its letters does. */
export function neverFires(pattern: string): Unreadable | undefined {
  if (/^[!-\x7f]*$/.test(pattern) && !/\\[xunrtfvs]|\[:/.test(pattern)) return undefined;
  // Whatever stands between these is text, and would be taken for syntax.
  if (pattern.includes('\\Q')) return undefined;
  return new Reader(pattern).alternatives();
}

/** What takes white space alone, and whether a space is among it. */
interface White {
  readonly written: string;
  readonly space: boolean;
}

type Atom = string | Unreadable | White | undefined;

function isWhite(atom: Atom): atom is White {
  return typeof atom === 'object' && 'written' in atom;
}

/** White space as texts have it before all of it becomes single spaces. */
const WHITE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;
const WHITE_CLASS =
  /^(?:\\[nrtfvs]|\\x(?:09|0[a-d]|20)|\[:(?:space|blank):\]|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])+$/i;
const ANY_SPACE = / |\\s|\\x20|\[:/;

interface Literal {
  readonly text: string;
  readonly offset: number;
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Up to the end of the group, or of the pattern: found when no branch can match. */
  alternatives(): Unreadable | undefined {
    let all = true;
    let first: Unreadable | undefined;
    for (;;) {
      const found = this.#branch();
      first ??= found;
      all &&= found !== undefined;
      if (this.#source[this.#at] !== '|') return all ? first : undefined;
      this.#at += 1;
    }
  }

  #branch(): Unreadable | undefined {
    let found: Unreadable | undefined;
    let run: Literal | undefined;
    const settle = (): void => {
      if (run !== undefined) found ??= unreadable(run);
      run = undefined;
    };
    /** White space that has to stand in a row up to here, and where it begins. */
    let row = 0;
    let rowStart = 0;
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      const offset = this.#at;
      const atom = this.#atom();
      const least = this.#least();
      if (isWhite(atom)) {
        settle();
        if (least > 0 && !atom.space) {
          found ??= { text: atom.written, offset, instead: ' ', white: true };
        }
        if (row === 0) rowStart = offset;
        row += least;
        if (row > 1) found ??= { text: '  ', offset: rowStart, instead: ' ', white: true };
        continue;
      }
      row = 0;
      if (typeof atom !== 'string') {
        settle();
        if (least > 0) found ??= atom;
      } else if (least === 0) settle();
      else run = run === undefined ? { text: atom, offset } : { ...run, text: run.text + atom };
    }
    settle();
    return found;
  }

  /** One character, white space, or what keeps a class or a group from matching. */
  #atom(): Atom {
    const source = this.#source;
    const char = String.fromCodePoint(source.codePointAt(this.#at) ?? 0);
    if (char === '(') return this.#group();
    if (char === '[') return this.#class();
    if (char === '\\') return this.#escape();
    this.#at += char.length;
    if (WHITE.test(char)) return { written: char, space: char === ' ' };
    return '.^$'.includes(char) ? undefined : char;
  }

  #group(): Unreadable | undefined {
    const opening = /\((?:\?(?:P?<\w+>|[a-zA-Z-]*[:)]))?/y;
    opening.lastIndex = this.#at;
    const open = opening.exec(this.#source)?.[0] ?? '(';
    this.#at += open.length;
    // Flags for what follows are no group.
    if (open.endsWith(')')) return undefined;
    const found = this.alternatives();
    this.#at += 1;
    return found;
  }

  #class(): Unreadable | White | undefined {
    const offset = this.#at;
    const { end } = readClass(this.#source, offset);
    this.#at = end;
    const body = this.#source.slice(offset + 1, end - 1);
    if (WHITE_CLASS.test(body)) return { written: ' ', space: ANY_SPACE.test(body) };
    if (/^\^|[\\\-[]/.test(body)) return undefined;
    const members = Array.from(body, (text) => unreadable({ text, offset }));
    return members.every((member) => member !== undefined) ? members[0] : undefined;
  }

  #escape(): string | White | undefined {
    const escape = /\\(?:[pP](?:\{[^}]*\}|.)|(?:x\{|x|u)([0-9a-fA-F]+)\}?|[\s\S]?)/y;
    escape.lastIndex = this.#at;
    const [text = '\\', hex] = escape.exec(this.#source) ?? [];
    const short = hex === undefined || text.startsWith('\\x{') ? undefined : text[1];
    const digits = short === undefined ? hex : hex?.slice(0, short === 'x' ? 2 : 4);
    this.#at += short === undefined ? text.length : 2 + (digits?.length ?? 0);
    const code = Number.parseInt(digits ?? '', 16);
    if (code <= 0x10ffff) {
      const char = String.fromCodePoint(code);
      return WHITE.test(char) ? { written: char, space: char === ' ' } : char;
    }
    if (text === '\\s') return { written: ' ', space: true };
    const control = /^\\[nrtfv]$/.test(text)
      ? '\t\n\v\f\r'['tnvfr'.indexOf(text.charAt(1))]
      : undefined;
    if (control !== undefined) return { written: control, space: false };
    if (text === '\\ ') return { written: ' ', space: true };
    return /^\\[^\w]$/.test(text) ? text.slice(1) : undefined;
  }

  /** Reads a quantifier, if there is one: how often what it stands after must be there. */
  #least(): number {
    const quantifier = /(?:[*+?]|\{(\d+)(?:,\d*)?\})[?+]?/y;
    quantifier.lastIndex = this.#at;
    const found = quantifier.exec(this.#source);
    if (found === null) return 1;
    this.#at += found[0].length;
    if (found[1] !== undefined) return Number(found[1]);
    return found[0].startsWith('+') ? 1 : 0;
  }
}

/** What a text with these letters looks like to a rule. A line that words end and begin keeps its edges. */
function asRead(text: string): string {
  const [original] = decodeViews(`x${text}x`, { deobfuscate: false }).views;
  return original?.text.slice(1, -1) ?? text;
}

function unreadable({ text, offset }: Literal): Unreadable | undefined {
  if (/^[\0-\x7f]*$/.test(text)) return undefined;
  // A mark joins what stands before it, which a class may be.
  const from = /^\p{M}*/u.exec(text)?.[0].length ?? 0;
  const whole = text.slice(from);
  if (asRead(whole) === whole) return undefined;
  for (const found of whole.matchAll(/[^\p{M}]\p{M}*/gu)) {
    const [part] = found;
    const instead = asRead(part);
    if (instead === part) continue;
    return { text: part, offset: offset + from + found.index, instead };
  }
  return undefined;
}
