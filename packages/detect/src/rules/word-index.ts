import { characterTable } from '../views/character-classes.js';
import { buildTree, ROW_BITS, type WordTree } from './word-tree.js';

/** Pairs kept between searches; a longer list is dropped with its text. */
const KEPT = 1 << 15;

/**
 * Characters with a place in the table, which texts are mostly made of. A row of 32 entries of two bytes is one line of
 * a processor's cache, and what a search costs is mostly the lines that it has to wait for.
 */
const HOT = "abcdefghijklmnopqrstuvwxyz '-.,/";

/** Kinds of the other characters of ASCII: those that stand in some word, and those that stand in none. */
const COLD = 32;
const NONE = 33;

const FINAL_SIGMA = 0x3c2;
const SIGMA = 0x3c3;

/**
 * Finds all words of a list in one pass (Aho–Corasick), in either case. Steps for the characters of {@link HOT} are kept
 * in a table that is filled as texts need it, so that making an index costs little; other characters follow the links,
 * so that its size does not grow with the scripts in use.
 */
export class WordIndex {
  /** Place in a row of an ASCII character, one for both cases of a letter, or {@link COLD} or {@link NONE}. */
  readonly #classOf = new Uint8Array(128);
  /**
   * What follows on a character: twice one more than the node, and 1 when a word ends there; 0 where that is not
   * known yet.
   */
  readonly #next: Uint16Array | Int32Array;
  /** Nodes that follow on characters that have no place in the table. */
  readonly #wide: ReadonlyMap<number, number>;
  /** What follows on them at the root, for those of ASCII. */
  readonly #rootWide = new Int32Array(128).fill(2);
  /** Characters without a place in the table that stand in a word. */
  readonly #inWords = new Uint8Array(8192);
  readonly #fail: Int32Array;
  /** 1 where a character without a place in the table follows. */
  readonly #hasWide: Uint8Array;
  /** The first node at which a word ends, from a node on along its links; 0 for none. */
  readonly #ends: Uint16Array | Int32Array;
  /** Per node at which a word ends: the word, and the next node along the links at which one ends. */
  readonly #out: Uint16Array | Int32Array;
  readonly #lower = characterTable().lower;
  #hits = new Int32Array(256);

  /** `words` in lower case. */
  constructor(words: readonly string[]) {
    this.#classOf.fill(NONE);
    for (let i = 0; i < HOT.length; i++) {
      const code = HOT.charCodeAt(i);
      this.#classOf[code] = i;
      if (code >= 97 && code <= 122) this.#classOf[code - 32] = i;
    }
    const tree = buildTree(words, this.#classOf, COLD);
    const { count } = tree;
    this.#next = tree.next;
    this.#wide = tree.wide;
    this.#hasWide = tree.hasWide;
    for (const key of tree.wide.keys()) {
      const code = key & 65_535;
      this.#inWords[code >> 3] = (this.#inWords[code >> 3] ?? 0) | (1 << (code & 7));
      if (code < 128) this.#classOf[code] = COLD;
    }
    this.#fail = new Int32Array(count);
    // There are fewer words than nodes.
    const narrow = count <= 65_536;
    this.#ends = narrow ? new Uint16Array(count) : new Int32Array(count);
    this.#out = narrow ? new Uint16Array(count * 2) : new Int32Array(count * 2);
    this.#link(tree);
    for (let code = 0; code < 128; code++) {
      const child = tree.wide.get(code);
      if (child !== undefined) this.#rootWide[code] = this.#entry(child);
    }
  }

  /** The list that `find` fills: a word, and the place after it, and so on. It is written anew by each search. */
  get hits(): Int32Array {
    return this.#hits;
  }

  /** Walks a part of the text once; gives the length of {@link hits}. Of words that end at one place the longest comes first. */
  find(text: string, from = 0, to = text.length): number {
    const [next, ends, out, classOf] = [this.#next, this.#ends, this.#out, this.#classOf];
    let hits = this.#hits;
    if (hits.length > KEPT) hits = this.#hits = new Int32Array(256);
    let count = 0;
    let node = 0;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      let known: number;
      if (code < 128) {
        const kind = classOf[code] ?? NONE;
        if (kind < COLD) {
          known = next[(node << ROW_BITS) | kind] ?? 0;
          if (known === 0) known = this.#step(node, kind);
        } else if (kind === NONE) {
          node = 0;
          continue;
        } else known = node === 0 ? (this.#rootWide[code] ?? 2) : this.#stepWide(node, code);
      } else known = this.#stepWide(node, code);
      node = (known >> 1) - 1;
      if ((known & 1) === 0) continue;
      for (let at = ends[node] ?? 0; at !== 0; at = out[at * 2 + 1] ?? 0) {
        if (count === hits.length) hits = this.#grow();
        hits[count] = out[at * 2] ?? 0;
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
    let node = from;
    let known = next[(node << ROW_BITS) | kind] ?? 0;
    while (known === 0 && node !== 0) {
      node = this.#fail[node] ?? 0;
      known = next[(node << ROW_BITS) | kind] ?? 0;
    }
    if (known === 0) known = 2;
    for (let at = from; at !== node; at = this.#fail[at] ?? 0)
      next[(at << ROW_BITS) | kind] = known;
    next[(node << ROW_BITS) | kind] = known;
    return known;
  }

  #stepWide(from: number, raw: number): number {
    const code = raw === FINAL_SIGMA ? SIGMA : (this.#lower[raw] ?? raw);
    if ((((this.#inWords[code >> 3] ?? 0) >> (code & 7)) & 1) === 0) return 2;
    for (let node = from; ; node = this.#fail[node] ?? 0) {
      if (this.#hasWide[node] === 1) {
        const found = this.#wide.get(node * 65_536 + code);
        if (found !== undefined) return this.#entry(found);
      }
      if (node === 0) return 2;
    }
  }

  /** How a node is written in the table. */
  #entry(node: number): number {
    return ((node + 1) << 1) | ((this.#ends[node] ?? 0) === 0 ? 0 : 1);
  }

  #link({ count, parent, codes, word }: WordTree): void {
    for (let child = 1; child < count; child++) {
      const from = parent[child] ?? 0;
      const code = codes[child] ?? 0;
      const kind = code < 128 ? (this.#classOf[code] ?? NONE) : COLD;
      let fail = 0;
      if (from !== 0) {
        const over = this.#fail[from] ?? 0;
        fail = ((kind < COLD ? this.#step(over, kind) : this.#stepWide(over, code)) >> 1) - 1;
      }
      this.#fail[child] = fail;
      const after = this.#ends[fail] ?? 0;
      const id = word[child] ?? -1;
      this.#ends[child] = id === -1 ? after : child;
      this.#out[child * 2] = Math.max(0, id);
      this.#out[child * 2 + 1] = after;
      // Nodes above this one were written before it was known whether a word ends there.
      if (kind < COLD && (this.#ends[child] ?? 0) !== 0) {
        const slot = (from << ROW_BITS) | kind;
        this.#next[slot] = (this.#next[slot] ?? 0) | 1;
      }
    }
  }
}
