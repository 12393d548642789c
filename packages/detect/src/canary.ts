import { DetectError } from './errors.js';
import { ciphers, spellings } from './output/encodings.js';
import { type Folded, fold, foldedText, hasEscapes } from './output/fold.js';
import { leetForm, leetReadings } from './output/leet-reading.js';
import { hasMorse, type MorseReading, mayHaveMorse, morseReading } from './output/morse-reading.js';
import { LEAST_NEEDLE, NeedleIndex } from './output/needle-index.js';
import { withoutNumbers } from './output/numbered-lines.js';
import type { Span } from './types.js';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Makes a tripwire to hide in a system prompt: 128 random bits, spelled in lower-case letters and digits.
 *
 * @param random gives that many bytes of a cryptographic source, e.g. `(n) => crypto.getRandomValues(new Uint8Array(n))`.
 * @throws DetectError `bad-option` when `random` is no function.
 * @throws RangeError when `random` gives fewer than 16 bytes.
 */
export function makeCanary(random: (size: number) => Uint8Array): string {
  if (typeof random !== 'function') {
    throw new DetectError(
      'bad-option',
      'makeCanary needs a source of random bytes: makeCanary((size) => crypto.getRandomValues(new Uint8Array(size)))',
    );
  }
  const bytes = random(16);
  const given: unknown = bytes;
  if (!(given instanceof Uint8Array)) {
    throw new DetectError('bad-option', 'the source of makeCanary must give a Uint8Array');
  }
  if (bytes.length < 16) throw new RangeError('makeCanary needs 16 random bytes');
  let token = 'pbc-';
  let bits = 0;
  let held = 0;
  for (const byte of bytes.subarray(0, 16)) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      token += DIGITS.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return token + DIGITS.charAt((held << (5 - bits)) & 31);
}

export interface CanaryMatch {
  readonly canary: string;
  /** Raw text from the first to the last character of the canary; for a split one, of the piece that completes it. */
  readonly span: Span;
  /** Whether it came in pieces with other words between them. */
  readonly split: boolean;
}

/** Longest canary, in UTF-16 code units: each of its spellings is looked for. */
const LONGEST = 256;
/** Letters and digits that a canary has at least; a shorter one would stand in many texts by chance. */
const LEAST_FOLDED = LEAST_NEEDLE;
/** Folded characters below which a spelling that is not the plain one would match by chance. */
const LEAST_ENCODED = 10;
/** Pieces of a split canary are at least this long. */
const PIECE = 4;
/** A canary in pieces is looked for only when its own pieces are unlikely words. */
const LEAST_SPLIT = 12;

/** Characters that may be missing at either end of a long random canary. */
const MISSING = 2;
/** What is left of it then has at least this length: fourteen random characters stand nowhere by chance. */
const LEAST_INCOMPLETE = 14;
/** Changes between letters and digits in what is left, by which a random token differs from words with a year. */
const LEAST_TURNS = 4;

interface Needle {
  readonly text: string;
  readonly canary: string;
  /** What may follow and belongs to it, folded. */
  readonly tail?: string;
}

/** A set of canaries, prepared once for many texts. */
export interface CanarySet {
  /** Folded spellings, each at most once. */
  readonly needles: readonly Needle[];
  /** The canaries as leet writes them, in the form of `leetForm`. */
  readonly leet: readonly Needle[];
  /** The same, prepared for a search. */
  readonly index: NeedleIndex<Needle>;
  readonly leetIndex: NeedleIndex<Needle>;
  /** Canaries that are looked for in pieces, folded. */
  readonly splittable: readonly Needle[];
}

function isRandom(folded: string): boolean {
  const turns = folded.match(/\p{L}(?=\p{N})|\p{N}(?=\p{L})/gu)?.length ?? 0;
  return folded.length >= LEAST_INCOMPLETE && turns >= LEAST_TURNS;
}

/** What follows a word and a separator, such as the `pbc-` of `makeCanary`, which is the same in all of them. */
function withoutPrefix(canary: string): string | undefined {
  const rest = /^[a-z]{1,8}[-_:.](.+)$/is.exec(canary)?.[1];
  return rest !== undefined && isRandom(foldedText(rest)) ? rest : undefined;
}

/** A canary with up to two characters missing at the ends, with its prefix and without. */
function incomplete(plain: string, bare: string | undefined, canary: string): Needle[] {
  const needles: Needle[] = [];
  for (const whole of bare === undefined ? [plain] : [plain, foldedText(bare)]) {
    for (let first = 0; first <= MISSING; first += 1) {
      const text = whole.slice(first, -MISSING);
      if (isRandom(text)) needles.push({ text, canary, tail: whole.slice(-MISSING) });
    }
  }
  return needles;
}

/**
 * Prepares canaries for {@link findCanary}.
 *
 * @throws DetectError `bad-option` for a canary with fewer than six letters and digits, or more than 256 characters. It
 *   is not in the message: it may be a secret.
 */
export function prepareCanaries(canaries: readonly string[]): CanarySet {
  const needles = new Map<string, Needle>();
  const leet = new Map<string, Needle>();
  const splittable: Needle[] = [];
  for (const canary of new Set(canaries)) {
    if (canary.length > LONGEST) {
      throw new DetectError(
        'bad-option',
        `a canary may have ${LONGEST} characters, and one has ${canary.length}; make one with makeCanary, or with \`pab canary\``,
      );
    }
    const plain = foldedText(canary);
    if (plain.length < LEAST_FOLDED) {
      const has = plain.length === 0 ? 'one has none' : `one has ${plain.length}`;
      throw new DetectError(
        'bad-option',
        `a canary needs at least ${LEAST_FOLDED} letters and digits, and ${has}; make one with makeCanary, or with \`pab canary\``,
      );
    }
    needles.set(plain, { text: plain, canary });
    // A capital may look like a Latin letter where the small one does not, and the other way round.
    for (const cased of [canary.toLowerCase(), canary.toUpperCase()]) {
      const text = foldedText(cased);
      if (text.length >= plain.length && !needles.has(text)) needles.set(text, { text, canary });
    }
    const bare = withoutPrefix(canary);
    const parts = incomplete(plain, bare, canary);
    for (const needle of parts) if (!needles.has(needle.text)) needles.set(needle.text, needle);
    for (const { text, tail = '' } of [{ text: plain }, ...parts]) {
      const form = leetForm(text);
      if (form.length < LEAST_ENCODED || leet.has(form)) continue;
      leet.set(form, { text: form, canary, tail: leetForm(tail) });
    }
    const written = bare === undefined ? [canary, plain] : [canary, plain, bare];
    for (const spelling of written.flatMap(spellings)) {
      const text = foldedText(spelling);
      if (text.length >= Math.min(LEAST_ENCODED, plain.length) && !needles.has(text)) {
        needles.set(text, { text, canary });
      }
    }
    for (const text of [plain, foldedText(bare ?? '')].flatMap(ciphers)) {
      if (text.length < LEAST_ENCODED || needles.has(text)) continue;
      needles.set(text, { text, canary });
    }
    if (plain.length >= LEAST_SPLIT && /[0-9]/.test(plain) && /[^0-9]/.test(plain)) {
      splittable.push({ text: plain, canary });
    }
  }
  return {
    needles: [...needles.values()],
    leet: [...leet.values()],
    index: new NeedleIndex(needles.values()),
    leetIndex: new NeedleIndex(leet.values()),
    splittable,
  };
}

function inFolded(folded: Folded, index: NeedleIndex<Needle>): CanaryMatch | undefined {
  const found = index.first(folded.text);
  if (found === undefined) return undefined;
  const { at, needles } = found;
  const start = folded.starts[at] ?? 0;
  let best: CanaryMatch | undefined;
  for (const { text, canary, tail = '' } of needles) {
    let last = at + text.length;
    for (const character of tail) {
      if (folded.text[last] !== character) break;
      last += 1;
    }
    const end = folded.ends[last - 1] ?? 0;
    if (best === undefined || end > best.span.end) {
      best = { canary, span: { start, end }, split: false };
    }
  }
  return best;
}

interface Reading {
  readonly folded: Folded;
  /** Whether it is in the form of `leetForm`. */
  readonly leet?: boolean;
  readonly morse?: MorseReading;
}

/** The readings of a text in which canaries are looked for as a whole; with `goesOn` also those that more text may give. */
function readingsOf(text: string, folded: Folded, { goesOn = false } = {}): Reading[] {
  const readings: Reading[] = [{ folded }];
  if (hasEscapes(text)) readings.push({ folded: fold(text, { unescape: true }) });
  const items = withoutNumbers(text, goesOn);
  if (items !== undefined) readings.push({ folded: fold(items) });
  for (const leet of leetReadings(text, folded, goesOn))
    readings.push({ folded: leet, leet: true });
  if (goesOn ? mayHaveMorse(text) : hasMorse(text)) {
    const morse = morseReading(text);
    readings.push({ folded: morse, morse });
  }
  return readings;
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + PIECE; i += 1) hash = (hash * 31 + text.charCodeAt(i)) & 4095;
  return hash;
}

/**
 * Watches for the pieces of split canaries: all of a canary, in any order, in pieces of at least four folded
 * characters. Memory is a few bytes for each character of each canary, however long the text.
 */
export class SplitWatch {
  readonly #pieces = new Map<string, { canary: number; at: number }[]>();
  readonly #missing: Set<number>[] = [];
  readonly #names: string[] = [];
  /** Which hashes of pieces there are, so that nearly all of a text is passed over without a look-up. */
  readonly #hashes = new Uint8Array(4096);
  #tail = '';

  constructor(set: CanarySet) {
    for (const [canary, { text, canary: name }] of set.splittable.entries()) {
      this.#names.push(name);
      this.#missing.push(new Set(Array.from({ length: text.length }, (_, i) => i)));
      for (let at = 0; at + PIECE <= text.length; at += 1) {
        const piece = text.slice(at, at + PIECE);
        const places = this.#pieces.get(piece) ?? [];
        places.push({ canary, at });
        this.#pieces.set(piece, places);
        this.#hashes[hashAt(piece, 0)] = 1;
      }
    }
  }

  /** Reads on. Gives the canary that is now complete, and the folded position at which its last piece ends. */
  push(folded: string): { canary: string; end: number } | undefined {
    if (this.#pieces.size === 0) return undefined;
    const text = this.#tail + folded;
    let found: { canary: string; end: number } | undefined;
    for (let at = 0; at + PIECE <= text.length && found === undefined; at += 1) {
      if (this.#hashes[hashAt(text, at)] === 0) continue;
      for (const { canary, at: place } of this.#pieces.get(text.slice(at, at + PIECE)) ?? []) {
        const missing = this.#missing[canary];
        if (missing === undefined) continue;
        for (let i = place; i < place + PIECE; i += 1) missing.delete(i);
        if (missing.size === 0) {
          found = { canary: this.#names[canary] ?? '', end: at + PIECE - this.#tail.length };
          break;
        }
      }
    }
    this.#tail = text.slice(Math.max(0, text.length - PIECE + 1));
    return found;
  }
}

/**
 * Finds a canary in a text: as it stands, in another case, spaced or punctuated, in look-alikes or leet, reversed, encoded,
 * escaped, item by item in a list, in a cipher that turns letters, in Morse code, without its prefix or up to two characters at either end when it
 * is long and random, or in pieces. A smaller part of a canary is not a match. Linear in the text.
 */
export function findCanary(text: string, set: CanarySet): CanaryMatch | undefined {
  if (set.needles.length === 0) return undefined;
  const folded = fold(text);
  let whole: CanaryMatch | undefined;
  for (const reading of readingsOf(text, folded)) {
    const found = inFolded(reading.folded, reading.leet === true ? set.leetIndex : set.index);
    if (found !== undefined && (whole === undefined || found.span.start < whole.span.start)) {
      whole = found;
    }
  }
  if (whole !== undefined) return whole;
  const split = new SplitWatch(set).push(folded.text);
  if (split === undefined) return undefined;
  const end = folded.ends[split.end - 1] ?? text.length;
  const start = folded.starts[split.end - PIECE] ?? 0;
  return { canary: split.canary, span: { start, end }, split: true };
}

/**
 * Where the end of a text could become a canary: the start of its longest last part with which a spelling of a
 * canary begins. The length of the text when there is none. Ciphers turn the first letter into any other, so that the last
 * one or two of a text are nearly always held; what comes next shows that they begin nothing.
 */
export function canaryHold(set: CanarySet): (text: string) => number {
  const plain = beginnings(set.needles);
  const leet = beginnings(set.leet);
  return (text) => {
    let hold = text.length;
    if (plain.longest === 0) return hold;
    for (const reading of readingsOf(text, fold(text), { goesOn: true })) {
      const { prefixes, longest } = reading.leet === true ? leet : plain;
      const { starts, text: read } = reading.folded;
      // A sign of Morse code that may go on is none yet, and any could begin a canary.
      hold = Math.min(hold, reading.morse?.unfinished ?? hold);
      const last = reading.morse?.finished ?? read.length;
      const whole = read.slice(Math.max(0, last - longest), last);
      for (let size = Math.min(longest - 1, whole.length); size > 0; size -= 1) {
        if (!prefixes.has(whole.slice(-size))) continue;
        hold = Math.min(hold, starts[last - size] ?? hold);
        break;
      }
    }
    // An escape that is not whole yet.
    const escape = /(?:%[0-9a-f]?|&#?x?[0-9a-f]{0,6}|\\(?:x[0-9a-f]?|u\{?[0-9a-f]{0,6})?)$/i.exec(
      text.slice(-12),
    );
    return escape === null ? hold : Math.min(hold, text.length - escape[0].length);
  };
}

/** All that a needle can begin with, and how long the longest is. */
function beginnings(needles: readonly Needle[]): { prefixes: Set<string>; longest: number } {
  const prefixes = new Set<string>();
  let longest = 0;
  for (const { text } of needles) {
    longest = Math.max(longest, text.length);
    for (let end = 1; end < text.length; end += 1) prefixes.add(text.slice(0, end));
  }
  return { prefixes, longest };
}
