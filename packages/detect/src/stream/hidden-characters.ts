import { decodeViews } from '../views/index.js';

// Nobody sees these characters, so that nobody misses a row of them until it has ended. Where they are strewn between
// visible ones, what is held is seen to be missing: it begins at the first one that no writing has a use for.

const UNDRAWN =
  /[\u00ad\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f|\p{Variation_Selector}/u;
/** High surrogate of tags and of most selectors; the low one may come with the next piece. */
const MAY_BE_UNDRAWN = new RegExp(`${UNDRAWN.source}|\\udb40`, 'u');

/** Scripts in which joiners, selectors and marks of direction belong to letters. */
const NEEDS_THEM =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Inherited}\p{Script=Common}])[\p{L}\p{M}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u;
/** What a variation selector of the first sixteen never changes. */
const UNVARIED = /\s|(?!\p{Extended_Pictographic})[\p{Script=Latin}\p{Script=Cyrillic}]/u;
const HAN = /\p{Script=Han}/u;

const FIRST_UNDRAWN = 0xad;
const JOINER = 0x200d;
const FIRST_SUPPLEMENT = 0xe0100;
/** Variants of one Han letter are far fewer than this many; bytes of letters begin after it. */
const LAST_VARIANT = 0xe012f;

/** A row is looked at from this many characters on; emoji have two in a row. */
const LEAST_ROW = 3;
/** The same for what is strewn; three letters take no fewer. */
const LEAST_STREWN = 3;
/** UTF-16 units after which strewn characters have ended. */
const GAP = 96;
const SHORT_GAP = 12;
/** So many of one kind, and none of another, say nothing: soft hyphens, or places where lines may break. */
const ONE_KIND = 16;
/** Characters that groups of 7, 8 and 16 bits, two a character or one, fill evenly. */
const EVEN = 112;

interface Row {
  readonly start: number;
  characters: number;
  tagged: boolean;
}

interface Strewn {
  readonly start: number;
  /** After the last one. */
  end: number;
  characters: number;
  readonly kinds: Set<number>;
}

function isTag(code: number): boolean {
  return code >= 0xe0000 && code < 0xe0080;
}

function isDirection(code: number): boolean {
  return code === 0x200e || code === 0x200f || (code >= 0x202a && code <= 0x202e);
}

/** Holds back what undrawn characters may spell, and stops where they do: PB-SMUGGLE, for a reply as it comes. */
export class HiddenCharacters {
  readonly #most: number;
  /** The end of the reply, from what is held on, and a character before it. */
  #text = '';
  /** UTF-16 units of the reply before it. */
  #before = 0;
  /** How much of it has been read. */
  #at = 0;
  /** The last character that is drawn. */
  #drawn = '';
  #rightToLeft = false;
  #row: Row | undefined;
  #strewn: Strewn | undefined;
  /** Kinds that stand all over the reply. */
  readonly #common = new Set<number>();
  #leak: number | undefined;

  /** `mostHeld`: UTF-16 units that may be held. */
  constructor(mostHeld: number) {
    this.#most = mostHeld;
  }

  /** UTF-16 units at the end of the reply that are to be held. */
  get held(): number {
    const from = this.#from();
    return from === undefined ? 0 : this.#text.length - from;
  }

  /** UTF-16 offset in the reply at which something hidden begins. */
  get leak(): number | undefined {
    return this.#leak;
  }

  #from(): number | undefined {
    return this.#strewn?.start ?? this.#row?.start;
  }

  push(piece: string): void {
    if (this.#leak !== undefined || piece === '') return;
    this.#text += piece;
    const idle = this.#from() === undefined && !MAY_BE_UNDRAWN.test(this.#text.slice(this.#at));
    if (idle) this.#skip();
    else this.#read();
    const keep = Math.max(0, (this.#from() ?? this.#at) - 2);
    this.#text = this.#text.slice(keep);
    this.#before += keep;
    this.#at -= keep;
    if (keep > 0 && this.#row !== undefined)
      this.#row = { ...this.#row, start: this.#row.start - keep };
    if (keep > 0 && this.#strewn !== undefined) {
      const { start, end } = this.#strewn;
      this.#strewn = { ...this.#strewn, start: start - keep, end: end - keep };
    }
  }

  /** Passes over a piece with nothing hidden in it. */
  #skip(): void {
    const text = this.#text.slice(this.#at);
    this.#rightToLeft ||= RIGHT_TO_LEFT.test(text);
    // Half of a pair waits for the other half.
    const whole = text.length - (/[\ud800-\udbff]$/.test(text) ? 1 : 0);
    this.#drawn = Array.from(text.slice(Math.max(0, whole - 2), whole)).at(-1) ?? this.#drawn;
    this.#at += whole;
  }

  #read(): void {
    const text = this.#text;
    while (this.#at < text.length && this.#leak === undefined) {
      const at = this.#at;
      const code = text.codePointAt(at) ?? 0;
      // Half of a pair; the other half comes with the next piece.
      if (at + 1 === text.length && code >= 0xd800 && code < 0xdc00) return;
      const character = String.fromCodePoint(code);
      this.#at += character.length;
      if (code >= FIRST_UNDRAWN && UNDRAWN.test(character)) this.#hidden(code, at);
      else this.#visible(character, at);
    }
  }

  #hidden(code: number, at: number): void {
    const row = this.#row ?? { start: at, characters: 0, tagged: false };
    this.#row = row;
    row.characters += 1;
    row.tagged ||= isTag(code);
    if (this.#isOdd(code)) this.#strew(code, at);
    this.#endLong();
    // Too long to be held: nothing more is shown, and the end of the reply decides.
    if (this.#leak === undefined && this.#at - row.start > this.#most) this.#stop(row.start);
  }

  #strew(code: number, at: number): void {
    this.#strewn ??= { start: at, end: at, characters: 0, kinds: new Set() };
    const strewn = this.#strewn;
    strewn.end = this.#at;
    strewn.characters += 1;
    strewn.kinds.add(code);
    if (strewn.characters < ONE_KIND || strewn.kinds.size > 1) return;
    this.#common.add(code);
    this.#strewn = undefined;
  }

  #visible(character: string, at: number): void {
    if (this.#row !== undefined) {
      const { start, characters, tagged } = this.#row;
      this.#row = undefined;
      // The flag before a row of tags belongs to it.
      if (characters >= LEAST_ROW || tagged) this.#look(start, at, Math.max(0, start - 2));
    }
    this.#drawn = character;
    if (!this.#rightToLeft && RIGHT_TO_LEFT.test(character)) this.#turn();
    const strewn = this.#strewn;
    if (strewn === undefined || this.#leak !== undefined) return;
    // A mark of the order of bytes at the very beginning is a usual one.
    if (at - strewn.end > (this.#before + strewn.end === 1 ? SHORT_GAP : GAP)) {
      if (strewn.characters >= LEAST_STREWN) this.#look(strewn.start, strewn.end);
      this.#strewn = undefined;
    } else this.#endLong();
  }

  /** Ends what is strewn over more text than may be held. */
  #endLong(): void {
    const strewn = this.#strewn;
    if (strewn === undefined || this.#at - strewn.start <= this.#most) return;
    this.#look(strewn.start, strewn.end);
    this.#look(strewn.start, this.#evenEnd(strewn));
    this.#strewn = undefined;
  }

  /** Marks of direction may come before the first letter that needs them. */
  #turn(): void {
    this.#rightToLeft = true;
    if ([...(this.#strewn?.kinds ?? [])].every(isDirection)) this.#strewn = undefined;
  }

  /** Whether no writing has a use for a character where it stands. */
  #isOdd(code: number): boolean {
    if (this.#common.has(code)) return false;
    const drawn = this.#drawn;
    if (isTag(code)) return false;
    if (code >= FIRST_SUPPLEMENT) return code > LAST_VARIANT || !HAN.test(drawn);
    if (code >= 0xfe00 && code <= 0xfe0f) return drawn === '' || UNVARIED.test(drawn);
    if (code === JOINER && EMOJI.test(drawn)) return false;
    if (isDirection(code) && this.#rightToLeft) return false;
    return !NEEDS_THEM.test(drawn);
  }

  /** Where as many undrawn characters have come as whole bytes need. */
  #evenEnd({ start, end }: Strewn): number {
    let count = 0;
    let even = end;
    for (const { 0: one, index } of this.#text
      .slice(start, end)
      .matchAll(new RegExp(UNDRAWN, 'gu'))) {
      count += 1;
      if (count % EVEN === 0) even = start + index + one.length;
    }
    return even;
  }

  #look(start: number, end: number, from = start): void {
    if (this.#leak !== undefined) return;
    const { notices } = decodeViews(this.#text.slice(from, end), { deobfuscate: false });
    if (notices.some(({ kind }) => kind === 'smuggled-text')) this.#stop(start);
  }

  #stop(start: number): void {
    this.#leak = this.#before + (this.#strewn?.start ?? start);
    this.#row = undefined;
    this.#strewn = undefined;
  }
}
