import { lenders, minHash, SIGNATURE_LENGTH } from './min-hash.js';

/** 16 bands of 4: two texts of similarity .8 meet in a band with probability .9998, of .3 with .12. */
const BANDS = 16;
const BAND = SIGNATURE_LENGTH / BANDS;
const CHUNK_ROWS = 16_384;
/** Texts of a bucket that a new one is compared with; keeps the whole linear where a bucket is crowded. */
const MAX_COMPARED = 4;

/** Finds clusters of similar texts. Memory: 256 bytes a text. */
export class NearIndex {
  readonly #lenders: Uint8Array;
  readonly #seed: number;
  /** Least number of equal places of near duplicates. */
  readonly #least: number;
  readonly #chunks: Int32Array[] = [];
  #size = 0;

  /** @param threshold least estimated Jaccard similarity of near duplicates, 0 to 1 */
  constructor(seed: number, threshold: number) {
    this.#lenders = lenders(seed);
    this.#seed = seed;
    this.#least = Math.ceil(threshold * SIGNATURE_LENGTH);
  }

  get size(): number {
    return this.#size;
  }

  add(text: string): void {
    const inside = this.#size % CHUNK_ROWS;
    if (inside === 0) this.#chunks.push(new Int32Array(CHUNK_ROWS * SIGNATURE_LENGTH));
    const chunk = this.#chunks.at(-1);
    const at = inside * SIGNATURE_LENGTH;
    const signature = chunk?.subarray(at, at + SIGNATURE_LENGTH) ?? new Int32Array(0);
    // An empty text is like no other, not like every other empty one.
    if (text === '') for (let i = 0; i < signature.length; i += 1) signature[i] = this.#size;
    else minHash(text, this.#lenders, this.#seed, signature);
    this.#size += 1;
  }

  /** Places at which two signatures agree; stops, with a number below `least`, once that many cannot be reached. */
  #agreement(a: number, b: number, least: number): number {
    const left = this.#chunks[Math.floor(a / CHUNK_ROWS)];
    const right = this.#chunks[Math.floor(b / CHUNK_ROWS)];
    if (left === undefined || right === undefined) throw new RangeError('there is no such text');
    const i = (a % CHUNK_ROWS) * SIGNATURE_LENGTH;
    const j = (b % CHUNK_ROWS) * SIGNATURE_LENGTH;
    let equal = 0;
    for (let k = 0; k < SIGNATURE_LENGTH; k += 1) {
      if (left[i + k] === right[j + k]) equal += 1;
      else if (equal + SIGNATURE_LENGTH - 1 - k < least) return equal;
    }
    return equal;
  }

  /** Estimated similarity of two texts. */
  similarity(a: number, b: number): number {
    return this.#agreement(a, b, 0) / SIGNATURE_LENGTH;
  }

  /** For each text the number of the first text of its cluster (its own where it is alone). */
  clusters(): Int32Array {
    const parent = Int32Array.from({ length: this.#size }, (_, i) => i);
    const root = (row: number): number => {
      let at = row;
      while (parent[at] !== at) {
        parent[at] = parent[parent[at] ?? at] ?? at;
        at = parent[at] ?? at;
      }
      return at;
    };
    const join = (a: number, b: number): void => {
      const [low, high] = a < b ? [a, b] : [b, a];
      parent[high] = low;
    };
    let slots = 16;
    while (slots < this.#size * 2) slots *= 2;
    const heads = new Int32Array(slots);
    const next = new Int32Array(this.#size);
    for (let band = 0; band < BANDS; band += 1) {
      heads.fill(-1);
      next.fill(-1);
      for (let row = 0; row < this.#size; row += 1) this.#place(row, band, heads, next, root, join);
    }
    for (let row = 0; row < this.#size; row += 1) parent[row] = root(row);
    return parent;
  }

  #sameBand(a: number, b: number, offset: number): boolean {
    const left = this.#chunks[Math.floor(a / CHUNK_ROWS)];
    const right = this.#chunks[Math.floor(b / CHUNK_ROWS)];
    const i = (a % CHUNK_ROWS) * SIGNATURE_LENGTH + offset;
    const j = (b % CHUNK_ROWS) * SIGNATURE_LENGTH + offset;
    for (let k = 0; k < BAND; k += 1) if (left?.[i + k] !== right?.[j + k]) return false;
    return true;
  }

  #place(
    row: number,
    band: number,
    heads: Int32Array,
    next: Int32Array,
    root: (row: number) => number,
    join: (a: number, b: number) => void,
  ): void {
    const offset = band * BAND;
    const chunk = this.#chunks[Math.floor(row / CHUNK_ROWS)];
    const at = (row % CHUNK_ROWS) * SIGNATURE_LENGTH + offset;
    let h = 0;
    for (let k = 0; k < BAND; k += 1)
      h = Math.imul(h ^ (chunk?.[at + k] ?? 0), 0x9e3779b1) ^ (h >>> 15);
    const mask = heads.length - 1;
    let slot = (h ^ (h >>> 13)) & mask;
    for (let head = heads[slot] ?? -1; head !== -1; head = heads[slot] ?? -1) {
      if (this.#sameBand(row, head, offset)) {
        this.#compare(row, head, next, root, join);
        return;
      }
      slot = (slot + 1) & mask;
    }
    heads[slot] = row;
  }

  /** Compares a text with the first ones of its bucket, then hangs it behind them. */
  #compare(
    row: number,
    head: number,
    next: Int32Array,
    root: (row: number) => number,
    join: (a: number, b: number) => void,
  ): void {
    let other = head;
    for (let compared = 1; ; compared += 1) {
      const mine = root(row);
      const theirs = root(other);
      if (mine !== theirs && this.#agreement(row, other, this.#least) >= this.#least) {
        join(mine, theirs);
      }
      const following = next[other] ?? -1;
      if (following === -1) {
        if (compared < MAX_COMPARED) next[other] = row;
        return;
      }
      if (compared >= MAX_COMPARED) return;
      other = following;
    }
  }
}
