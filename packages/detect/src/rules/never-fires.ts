import { decodeViews } from '../views/index.js';
import { readClass } from './char-class.js';

// Patterns are matched against texts in NFKC without invisible characters. What such a text cannot have, a pattern that
// requires it never finds. A branch or a class that has something else as well is left alone.

/** What a pattern needs and no text has. */
export interface Unreadable {
  readonly text: string;
  /** UTF-16 offset in the pattern. */
  readonly offset: number;
  /** What stands in a text in its place; empty when nothing does. */
  readonly instead: string;
}

/** Finds what keeps a pattern from ever matching; undefined when nothing in its letters does. */
export function neverFires(pattern: string): Unreadable | undefined {
  if (/^[\0-\x7f]*$/.test(pattern) && !/\\[xu]/.test(pattern)) return undefined;
  return new Reader(pattern).alternatives();
}

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
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      const offset = this.#at;
      const atom = this.#atom();
      const needed = this.#needed();
      if (typeof atom !== 'string') {
        settle();
        if (needed) found ??= atom;
      } else if (!needed) settle();
      else run = run === undefined ? { text: atom, offset } : { ...run, text: run.text + atom };
    }
    settle();
    return found;
  }

  /** One character, or what keeps a class or a group from matching. */
  #atom(): string | Unreadable | undefined {
    const source = this.#source;
    const char = String.fromCodePoint(source.codePointAt(this.#at) ?? 0);
    if (char === '(') return this.#group();
    if (char === '[') return this.#class();
    if (char === '\\') return this.#escape();
    this.#at += char.length;
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

  #class(): Unreadable | undefined {
    const offset = this.#at;
    const { end } = readClass(this.#source, offset);
    this.#at = end;
    const body = this.#source.slice(offset + 1, end - 1);
    if (/^\^|[\\\-[]/.test(body)) return undefined;
    const members = Array.from(body, (text) => unreadable({ text, offset }));
    return members.every((member) => member !== undefined) ? members[0] : undefined;
  }

  #escape(): string | undefined {
    const escape = /\\(?:[pP](?:\{[^}]*\}|.)|(?:x\{|x|u)([0-9a-fA-F]+)\}?|[\s\S]?)/y;
    escape.lastIndex = this.#at;
    const [text = '\\', hex] = escape.exec(this.#source) ?? [];
    const short = hex === undefined || text.startsWith('\\x{') ? undefined : text[1];
    const digits = short === undefined ? hex : hex?.slice(0, short === 'x' ? 2 : 4);
    this.#at += short === undefined ? text.length : 2 + (digits?.length ?? 0);
    const code = Number.parseInt(digits ?? '', 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    return /^\\[^\w]$/.test(text) ? text.slice(1) : undefined;
  }

  /** Reads a quantifier, if there is one: whether what it stands after must be there. */
  #needed(): boolean {
    const quantifier = /(?:[*+?]|\{(\d+)(?:,\d*)?\})[?+]?/y;
    quantifier.lastIndex = this.#at;
    const found = quantifier.exec(this.#source);
    if (found === null) return true;
    this.#at += found[0].length;
    return found[1] === undefined ? found[0].startsWith('+') : Number(found[1]) > 0;
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
  if (asRead(whole) === whole || whole.trim() === '') return undefined;
  for (const found of whole.matchAll(/[^\p{M}]\p{M}*/gu)) {
    const [part] = found;
    const instead = asRead(part);
    // White space is another matter: `\s` takes any.
    if (instead === part || part.trim() === '') continue;
    return { text: part, offset: offset + from + found.index, instead };
  }
  return undefined;
}
