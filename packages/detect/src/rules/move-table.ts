import { lazily } from '../views/character-classes.js';

/** States kept of all patterns; beyond it all are dropped and made again as needed. */
const MOST_STATES = 16_384;

/** Where no way goes on. */
export const NOWHERE = -1;

/** Symbols of ASCII beside the letters of one case, in the order in which texts have them. */
const FREQUENT = ' \'-.,?"!:;()\n0123456789/_';
/** Stands for the end of a text. */
export const END_SYMBOL = 129;
/** Moves of a state that has many. */
const ROW = 130;

/** Characters beyond ASCII of which a state keeps the moves. */
const MOST_WIDE = 256;

/** Numbers of a state: its first four symbols, their moves two by two, and its row or 0. */
const STATE_BITS = 2;
const HALF = 65_535;

/**
 * What a symbol does in a state. Bit 0: the preferred way through the pattern is complete before it; the rest is one
 * more than the state that follows, or 0 for none. One more is kept than that, as 0 is what is not known.
 */
export type Move = number;

/**
 * Moves between states of patterns, for the symbols of ASCII and the end of a text. Most states have been left by one
 * or two symbols only, and what a search costs is mostly the memory that it waits for; so the first four stand beside
 * the state, those of one pattern near each other, and only what has more gets a row.
 */
export class MoveTable {
  #states = new Int32Array(4 << STATE_BITS);
  #rows = new Uint16Array(ROW * 8);
  /** Per state its moves by characters beyond ASCII. */
  #wide: (Map<number, Move> | undefined)[] = [];
  #count = 0;
  #rowCount = 1;
  /** How often all states were dropped: those numbered before that are no more. */
  #age = 0;
  readonly #most: number;

  constructor(most = MOST_STATES) {
    this.#most = most;
  }

  get age(): number {
    return this.#age;
  }

  /** Makes a state; there is room for it after `hasRoom`. */
  add(): number {
    const state = this.#count;
    this.#count += 1;
    this.#wide.push(undefined);
    if (this.#count << STATE_BITS > this.#states.length) this.#states = twice(this.#states);
    return state;
  }

  get hasRoom(): boolean {
    return this.#count < this.#most;
  }

  clear(): void {
    this.#states.fill(0);
    this.#rows.fill(0);
    this.#wide = [];
    this.#count = 0;
    this.#rowCount = 1;
    this.#age += 1;
  }

  /** The move by a symbol, from 1 to {@link END_SYMBOL}, or -1 when it is not known yet. */
  get(state: number, symbol: number): Move {
    const states = this.#states;
    const at = state << STATE_BITS;
    const symbols = states[at] ?? 0;
    if ((symbols & 255) === symbol) return ((states[at + 1] ?? 0) & HALF) - 1;
    if (((symbols >>> 8) & 255) === symbol) return ((states[at + 1] ?? 0) >>> 16) - 1;
    if (((symbols >>> 16) & 255) === symbol) return ((states[at + 2] ?? 0) & HALF) - 1;
    if (symbols >>> 24 === symbol) return ((states[at + 2] ?? 0) >>> 16) - 1;
    const row = states[at + 3] ?? 0;
    return row === 0 ? -1 : (this.#rows[row + symbol] ?? 0) - 1;
  }

  /** The move by a character beyond ASCII, or -1. */
  getWide(state: number, rune: number): Move {
    return this.#wide[state]?.get(rune) ?? -1;
  }

  /** Notes one, as long as they are not too many. */
  setWide(state: number, rune: number, move: Move): void {
    const known = this.#wide[state];
    if (known === undefined) this.#wide[state] = new Map([[rune, move]]);
    else if (known.size < MOST_WIDE) known.set(rune, move);
  }

  /** Notes a move that was not known. */
  set(state: number, symbol: number, move: Move): void {
    const states = this.#states;
    const at = state << STATE_BITS;
    const symbols = states[at] ?? 0;
    for (let i = 0; i < 4; i++) {
      if (((symbols >>> (i * 8)) & 255) !== 0) continue;
      states[at] = symbols | (symbol << (i * 8));
      const pair = at + 1 + (i >> 1);
      states[pair] = (states[pair] ?? 0) | ((move + 1) << ((i & 1) * 16));
      return;
    }
    let row = states[at + 3] ?? 0;
    if (row === 0) {
      row = this.#rowCount * ROW;
      this.#rowCount += 1;
      if (row + ROW > this.#rows.length) {
        const wider = new Uint16Array(this.#rows.length * 2);
        wider.set(this.#rows);
        this.#rows = wider;
      }
      states[at + 3] = row;
    }
    this.#rows[row + symbol] = move + 1;
  }
}

function twice(list: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(list.length * 2);
  wider.set(list);
  return wider;
}

/** Per character of ASCII its symbol, capitals beside their small letters or not. */
function symbolsOf(folds: boolean): Uint8Array {
  const symbolOf = new Uint8Array(128);
  let last = 0;
  const give = (code: number): void => {
    if (symbolOf[code] !== 0) return;
    last += 1;
    symbolOf[code] = last;
  };
  for (let code = 97; code <= 122; code++) give(code);
  for (let i = 0; i < FREQUENT.length; i++) give(FREQUENT.charCodeAt(i));
  for (let code = 0; code < 128; code++) give(code);
  if (folds) for (let code = 65; code <= 90; code++) symbolOf[code] = symbolOf[code + 32] ?? 0;
  return symbolOf;
}

/** Symbols for a pattern that takes no letter of ASCII for other than its capital; and for any other. */
export const foldedSymbols: () => Uint8Array = lazily(() => symbolsOf(true));
export const exactSymbols: () => Uint8Array = lazily(() => symbolsOf(false));
