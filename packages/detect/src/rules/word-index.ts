import { characterTable } from '../views/character-classes.js';

/** Pairs kept between searches; a longer list is dropped with its text. */
const KEPT = 1 << 15;

const FINAL_SIGMA = 0x3c2;
const SIGMA = 0x3c3;

/**
 * Finds all words of a list in one pass (Aho–Corasick), in either case. Steps for ASCII are kept in a table that is
 * filled as texts need it, so that making an index costs little; other characters follow the links,
 * so that its size does not grow with the scripts in use.
 */
export class WordIndex {
  /** Class of an ASCII character, one for both cases of a letter. */
  readonly #classOf = new Uint8Array(128);
  readonly #width: number;
  /**
   * What follows on a character: twice one more than the node, and 1 when a word ends there; 0 where that is not
   * known yet.
   */
  readonly #next: Int32Array;
  readonly #wide = new Map<number, number>();
  /** Characters beyond ASCII that stand in a word. */
  readonly #inWords = new Uint8Array(8192);
  readonly #fail: Int32Array;
  /** The word that ends at a node, or -1. */
  readonly #word: Int32Array;
  /** The first node at which a word ends, from a node on along its links; 0 for none. */
  readonly #ends: Int32Array;
  readonly #lower = characterTable().lower;
  #hits = new Int32Array(256);

  /** `words` in lower case. */
  constructor(words: readonly string[]) {
    let width = 1;
    let size = 1;
    for (const word of words) {
      size += word.length;
      for (let i = 0; i < word.length; i++) {
        const code = word.charCodeAt(i);
        if (code >= 128)
          this.#inWords[code >> 3] = (this.#inWords[code >> 3] ?? 0) | (1 << (code & 7));
        else if (this.#classOf[code] === 0) this.#classOf[code] = width++;
      }
    }
    for (let small = 97; small <= 122; small++)
      this.#classOf[small - 32] = this.#classOf[small] ?? 0;
    this.#width = width;
    this.#next = new Int32Array(size * width);
    this.#fail = new Int32Array(size);
    this.#word = new Int32Array(size).fill(-1);
    this.#ends = new Int32Array(size);
    // No word begins with a character of no class.
    this.#next[0] = 2;
    this.#link(this.#insert(words, size));
  }

  /** The list that `find` fills: a word, and the place after it, and so on. It is written anew by each search. */
  get hits(): Int32Array {
    return this.#hits;
  }

  /** Walks a part of the text once; gives the length of {@link hits}. Of words that end at one place the longest comes first. */
  find(text: string, from = 0, to = text.length): number {
    const [next, word, ends, fail] = [this.#next, this.#word, this.#ends, this.#fail];
    const [classOf, width] = [this.#classOf, this.#width];
    let hits = this.#hits;
    if (hits.length > KEPT) hits = this.#hits = new Int32Array(256);
    let count = 0;
    let node = 0;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      let known: number;
      if (code < 128) {
        const kind = classOf[code] ?? 0;
        known = next[node * width + kind] ?? 0;
        if (known === 0) known = this.#step(node, kind);
      } else known = this.#stepWide(node, code);
      node = (known >> 1) - 1;
      if ((known & 1) === 0) continue;
      for (let at = ends[node] ?? 0; at !== 0; at = ends[fail[at] ?? 0] ?? 0) {
        if (count === hits.length) hits = this.#grow();
        hits[count] = word[at] ?? 0;
        hits[count + 1] = i + 1;
        count += 2;
      }
    }
    return count;
  }

  #grow(): Int32Array<ArrayBuffer> {
    const wider = new Int32Array(this.#hits.length * 4);
    wider.set(this.#hits);
    this.#hits = wider;
    return wider;
  }

  /** Follows the links to a node that has a child for the class, and notes the way for all of them. */
  #step(from: number, kind: number): number {
    const next = this.#next;
    const width = this.#width;
    let node = from;
    let known = next[node * width + kind] ?? 0;
    while (known === 0 && node !== 0) {
      node = this.#fail[node] ?? 0;
      known = next[node * width + kind] ?? 0;
    }
    if (known === 0) known = 2;
    for (let at = from; at !== node; at = this.#fail[at] ?? 0) next[at * width + kind] = known;
    next[node * width + kind] = known;
    return known;
  }

  #stepWide(from: number, raw: number): number {
    const code = raw === FINAL_SIGMA ? SIGMA : (this.#lower[raw] ?? raw);
    if ((((this.#inWords[code >> 3] ?? 0) >> (code & 7)) & 1) === 0) return 2;
    for (let node = from; ; node = this.#fail[node] ?? 0) {
      const found = this.#wide.get(node * 65_536 + code);
      if (found !== undefined) return this.#entry(found);
      if (node === 0) return 2;
    }
  }

  /** How a node is written in the table. */
  #entry(node: number): number {
    return ((node + 1) << 1) | ((this.#ends[node] ?? 0) === 0 ? 0 : 1);
  }

  /** Puts the words in, and gives each node's parent, character and depth. */
  #insert(words: readonly string[], size: number): Tree {
    const width = this.#width;
    const parent = new Int32Array(size);
    const codes = new Uint16Array(size);
    const depths = new Int32Array(size);
    let count = 1;
    for (let id = 0; id < words.length; id++) {
      const word = words[id] ?? '';
      let node = 0;
      for (let i = 0; i < word.length; i++) {
        const code = word.charCodeAt(i);
        const slot = node * width + (this.#classOf[code] ?? 0);
        let child =
          code < 128
            ? ((this.#next[slot] ?? 0) >> 1) - 1
            : (this.#wide.get(node * 65_536 + code) ?? -1);
        if (child <= 0) {
          child = count++;
          if (code < 128) this.#next[slot] = (child + 1) << 1;
          else this.#wide.set(node * 65_536 + code, child);
          parent[child] = node;
          codes[child] = code;
          depths[child] = i + 1;
        }
        node = child;
      }
      if (node !== 0) this.#word[node] = id;
    }
    return { parent, codes, depths, count };
  }

  #link({ parent, codes, depths, count }: Tree): void {
    for (const child of byDepth(depths, count)) {
      const from = parent[child] ?? 0;
      const code = codes[child] ?? 0;
      let fail = 0;
      if (from !== 0) {
        const over = this.#fail[from] ?? 0;
        const kind = this.#classOf[code] ?? 0;
        fail = ((code < 128 ? this.#step(over, kind) : this.#stepWide(over, code)) >> 1) - 1;
      }
      this.#fail[child] = fail;
      this.#ends[child] = this.#word[child] === -1 ? (this.#ends[fail] ?? 0) : child;
      // Nodes above this one were written before it was known whether a word ends there.
      if (code < 128 && (this.#ends[child] ?? 0) !== 0) {
        const slot = from * this.#width + (this.#classOf[code] ?? 0);
        this.#next[slot] = (this.#next[slot] ?? 0) | 1;
      }
    }
  }
}

/** Nodes but the root, those nearest to it first. */
function byDepth(depths: Int32Array, count: number): Int32Array {
  const starts = new Int32Array(65_538);
  for (let node = 1; node < count; node++) {
    const at = Math.min(65_535, depths[node] ?? 0) + 1;
    starts[at] = (starts[at] ?? 0) + 1;
  }
  for (let depth = 1; depth < starts.length; depth++) {
    starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0);
  }
  const order = new Int32Array(Math.max(0, count - 1));
  for (let node = 1; node < count; node++) {
    const depth = Math.min(65_535, depths[node] ?? 0);
    const at = starts[depth] ?? 0;
    starts[depth] = at + 1;
    order[at] = node;
  }
  return order;
}

/** The words as a tree, each list by node. */
interface Tree {
  readonly parent: Int32Array;
  readonly codes: Uint16Array;
  readonly depths: Int32Array;
  readonly count: number;
}
