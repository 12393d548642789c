/** Where a word of the index ends, and which it is. */
export type Visit = (word: number, end: number) => void;

/**
 * Finds all words of a list in one pass (Aho–Corasick). Steps for ASCII are kept in a table that is
 * filled as texts need it, so that making an index costs little; other characters follow the links,
 * so that its size does not grow with the scripts in use.
 */
export class WordIndex {
  readonly #classOf = new Uint8Array(128);
  readonly #width: number;
  /** One more than the node that follows on a character; 0 where that is not known yet. */
  readonly #next: Int32Array;
  readonly #wide = new Map<number, number>();
  readonly #fail: Int32Array;
  /** The word that ends at a node, or -1. */
  readonly #word: Int32Array;
  /** The first node at which a word ends, from a node on along its links; 0 for none. */
  readonly #ends: Int32Array;

  constructor(words: readonly string[]) {
    let width = 1;
    let size = 1;
    for (const word of words) {
      size += word.length;
      for (let i = 0; i < word.length; i++) {
        const code = word.charCodeAt(i);
        if (code < 128 && this.#classOf[code] === 0) this.#classOf[code] = width++;
      }
    }
    this.#width = width;
    this.#next = new Int32Array(size * width);
    this.#fail = new Int32Array(size);
    this.#word = new Int32Array(size).fill(-1);
    this.#ends = new Int32Array(size);
    // No word begins with a character of no class.
    this.#next[0] = 1;
    this.#link(this.#insert(words));
  }

  /** Walks the text once. Words that end at one place are visited from the longest to the shortest. */
  visit(text: string, visit: Visit): void {
    const [next, word, ends, fail] = [this.#next, this.#word, this.#ends, this.#fail];
    const [classOf, width] = [this.#classOf, this.#width];
    let node = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 128) {
        const known = next[node * width + (classOf[code] ?? 0)] ?? 0;
        node = known === 0 ? this.#step(node, classOf[code] ?? 0) : known - 1;
      } else node = this.#stepWide(node, code);
      let at = ends[node] ?? 0;
      while (at !== 0) {
        visit(word[at] ?? 0, i + 1);
        at = ends[fail[at] ?? 0] ?? 0;
      }
    }
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
    if (known === 0) known = 1;
    for (let at = from; at !== node; at = this.#fail[at] ?? 0) next[at * width + kind] = known;
    next[node * width + kind] = known;
    return known - 1;
  }

  #stepWide(from: number, code: number): number {
    for (let node = from; ; node = this.#fail[node] ?? 0) {
      const found = this.#wide.get(node * 65_536 + code);
      if (found !== undefined) return found;
      if (node === 0) return 0;
    }
  }

  /** Gives, for each node, its parent and the character that leads to it, by depth. */
  #insert(words: readonly string[]): readonly (readonly Edge[])[] {
    const depths: Edge[][] = [];
    const width = this.#width;
    let count = 1;
    words.forEach((word, id) => {
      let node = 0;
      for (let i = 0; i < word.length; i++) {
        const code = word.charCodeAt(i);
        const slot = node * width + (this.#classOf[code] ?? 0);
        const known =
          code < 128 ? (this.#next[slot] ?? 0) - 1 : (this.#wide.get(node * 65_536 + code) ?? -1);
        if (known > 0) {
          node = known;
          continue;
        }
        const child = count++;
        if (code < 128) this.#next[slot] = child + 1;
        else this.#wide.set(node * 65_536 + code, child);
        const edges = depths[i];
        if (edges) edges.push({ parent: node, code, child });
        else depths[i] = [{ parent: node, code, child }];
        node = child;
      }
      if (node !== 0) this.#word[node] = id;
    });
    return depths;
  }

  #link(depths: readonly (readonly Edge[])[]): void {
    for (const edges of depths) {
      for (const { parent, code, child } of edges) {
        const over = this.#fail[parent] ?? 0;
        const fail =
          parent === 0
            ? 0
            : code < 128
              ? this.#step(over, this.#classOf[code] ?? 0)
              : this.#stepWide(over, code);
        this.#fail[child] = fail;
        this.#ends[child] = this.#word[child] === -1 ? (this.#ends[fail] ?? 0) : child;
      }
    }
  }
}

interface Edge {
  readonly parent: number;
  readonly code: number;
  readonly child: number;
}
