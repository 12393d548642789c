import { type CanarySet, findCanary } from '../canary.js';
import { decodeViews, rawSpan } from '../views/index.js';

// A canary under several encodings shows nothing of itself before it is decoded. What could be such an encoding is a
// row of tokens that are no ordinary words; it is held until a word ends it, and then read as `scanOutput` reads texts.

/** A word as people write it, with what stands around words. */
const WORD =
  /^[\p{Ps}\p{Pi}"'*_~`>-]*(?:\p{Lu}?[\p{Ll}\p{M}]{3,}|\p{Lu}[\p{Ll}\p{M}]{2,})(?:['\u2019-]\p{Lu}?[\p{Ll}\p{M}]+)*[\p{Pe}\p{Pf}"'*_~`.,;:!?\u2026\u2013\u2014-]*$/u;
/** Selectors count as marks of the letter before them, and may be bytes. */
const UNDRAWN = /\p{Default_Ignorable_Code_Point}/u;
/** Bytes in hexadecimal digits may be letters alone. */
const HEX_WORD = /^\W*[a-f]+\W*$/i;
/** Words too short to end anything; they begin nothing. */
const SHORT_WORD =
  /^(?:I|Is|It|In|No|We|am|an|as|at|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)$/;
/** Letters of scripts that write no base64; words of some of them do not stand apart. */
const OTHER_SCRIPT =
  /(?![\u115f\u1160\u3164\uffa0])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}\u3001\u3002]/u;
const PARTS = new RegExp(
  `(?<script>(?:${OTHER_SCRIPT.source})+)|(?<token>(?:(?!${OTHER_SCRIPT.source})\\S)+)`,
  'gu',
);
const ENDS_TOKEN = new RegExp(`\\s|${OTHER_SCRIPT.source}`, 'u');

/** UTF-16 units other than white space that an encoded canary has at least. */
const LEAST_CODED = 12;
/** UTF-16 units of a reply in which one of a canary is looked for: two encodings make 64 to 120 of one. */
const MOST_WIDENING = 192;
/**
 * Held runs are cut at a multiple of this, where groups of base64, base32 and bytes in digits begin, and groups of what
 * those stand for.
 */
const GROUP = 960;
const MOST_GROUPS = 4;
/** Units that decoders may read for each of a run, and for any run. */
const UNITS_EACH = 8;
const UNITS_ANY = 4096;
/** UTF-16 units before a run that are read with it: whether a reading has words is judged by what is around, too. */
const LEAD = 96;

/** Reads a reply as it comes, and looks for canaries that are encoded more than once. */
export class CodedRuns {
  readonly #canaries: CanarySet;
  readonly #most: number;
  /** From where something encoded may have begun. */
  #run = '';
  /** Where in it the last token begins, which may go on. */
  #token = 0;
  /** What stands before it, as much as is read with it. */
  #lead = '';
  /** UTF-16 units of the reply before the run. */
  #before = 0;
  /** In a comment, which a reader does not see, words end nothing. */
  #comment = false;
  #leak: number | undefined;

  /** `mostHeld`: UTF-16 units that may be held. */
  constructor(canaries: CanarySet, mostHeld: number) {
    this.#canaries = canaries;
    const longest = Math.max(...canaries.needles.map(({ canary }) => canary.length));
    const groups = Math.min(MOST_GROUPS, Math.ceil((longest * MOST_WIDENING) / (2 * GROUP)));
    this.#most = Math.min(mostHeld, 2 * GROUP * groups);
  }

  /** UTF-16 units at the end of the reply that are to be held. */
  get held(): number {
    return this.#run.length;
  }

  /** UTF-16 offset in the reply at which a canary begins. */
  get leak(): number | undefined {
    return this.#leak;
  }

  #found(): boolean {
    return this.#leak !== undefined;
  }

  push(piece: string): void {
    if (this.#found()) return;
    this.#run += piece;
    if (ENDS_TOKEN.test(piece)) this.#endRuns();
    if (this.#found()) return;
    while (this.#run.length > this.#most) {
      this.#look(0, this.#most, this.#most);
      this.#comment = false;
      if (this.#found()) return;
      this.#drop(Math.max(1, this.#most >> 1));
    }
  }

  /** Ends the run at each ordinary word among the tokens that are whole now. */
  #endRuns(): void {
    const run = this.#run;
    const first = this.#token;
    let from = first === 0 ? undefined : 0;
    this.#token = run.length;
    for (const { 0: part, index, groups } of run.slice(first).matchAll(PARTS)) {
      const at = first + index;
      const end = at + part.length;
      const isToken = groups?.['script'] === undefined;
      if (isToken && end === run.length) {
        this.#token = at;
        from ??= at;
        break;
      }
      if (isToken && !this.#ends(part)) {
        if (!SHORT_WORD.test(part)) from ??= at;
        continue;
      }
      if (from !== undefined) this.#look(from, at, end);
      if (this.#found()) return;
      from = undefined;
    }
    this.#drop(from ?? run.length);
  }

  #drop(until: number): void {
    if (until === 0) return;
    this.#lead = (this.#lead + this.#run.slice(0, until)).slice(-LEAD);
    this.#run = this.#run.slice(until);
    this.#before += until;
    this.#token = Math.max(0, this.#token - until);
  }

  /** Whether a token is an ordinary word. */
  #ends(token: string): boolean {
    const opens = token.lastIndexOf('<!--');
    const closes = token.lastIndexOf('-->');
    if (opens !== closes) this.#comment = opens > closes;
    return !this.#comment && WORD.test(token) && !HEX_WORD.test(token) && !UNDRAWN.test(token);
  }

  /** Looks at a part of the run, with the word that ends it. */
  #look(from: number, to: number, end: number): void {
    if (this.#run.slice(from, to).replaceAll(/\s+/g, '').length < LEAST_CODED) return;
    const step = Math.max(1, this.#most >> 1);
    for (let at = from; !this.#found(); at += step) {
      const last = at + this.#most >= to;
      this.#lookAt(at, last ? end : at + this.#most);
      if (last) return;
    }
  }

  #lookAt(from: number, to: number): void {
    const lead = (
      from < LEAD ? this.#lead + this.#run.slice(0, from) : this.#run.slice(from - LEAD, from)
    ).slice(-LEAD);
    const text = lead + this.#run.slice(from, to);
    const before = this.#before + from - lead.length;
    for (const view of decodeViews(text, { maxUnits: UNITS_ANY + UNITS_EACH * text.length })
      .views) {
      // The gate reads the text itself.
      if (view.name === 'original') continue;
      const found = findCanary(view.text, this.#canaries);
      if (found === undefined) continue;
      const { start } = rawSpan(view, found.span.start, found.span.end);
      this.#leak = Math.min(this.#leak ?? Number.POSITIVE_INFINITY, before + start);
    }
  }
}
