/** Where a word of the index ends, and which it is. */
export type Visit = (word: number, end: number) => void;

/**
 * Finds all words of a list in one pass (Aho–Corasick). The automaton is complete for ASCII and
 * follows fail links for other characters, so its size does not grow with the scripts in use.
 */
export class WordIndex {
  readonly #classOf = new Uint8Array(128);
  readonly #width: number;
  readonly #next: Int32Array;
  readonly #wide = new Map<number, number>();
  readonly #fail: Int32Array;
  /** The word that ends at a node, or -1. */
  readonly #word: Int32Array;
  /** The next node on the fail chain at which a word ends, or 0. */
  readonly #output: Int32Array;

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
    this.#output = new Int32Array(size);
    const wideChildren = this.#insert(words);
    this.#link(wideChildren);
  }

  /** Walks the text once. Words that end at one place are visited from the longest to the shortest. */
  visit(text: string, visit: Visit): void {
    const [next, word, output, classOf] = [this.#next, this.#word, this.#output, this.#classOf];
    const width = this.#width;
    let node = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 128) node = next[node * width + (classOf[code] ?? 0)] ?? 0;
      else node = this.#stepWide(node, code);
      let at = word[node] === -1 ? (output[node] ?? 0) : node;
      while (at !== 0) {
        visit(word[at] ?? 0, i + 1);
        at = output[at] ?? 0;
      }
    }
  }

  #stepWide(from: number, code: number): number {
    for (let node = from; ; node = this.#fail[node] ?? 0) {
      const found = this.#wide.get(node * 65_536 + code);
      if (found !== undefined) return found;
      if (node === 0) return 0;
    }
  }

  #insert(words: readonly string[]): Map<number, number[]> {
    const wideChildren = new Map<number, number[]>();
    let count = 1;
    words.forEach((word, id) => {
      let node = 0;
      for (let i = 0; i < word.length; i++) {
        const code = word.charCodeAt(i);
        const slot = node * this.#width + (this.#classOf[code] ?? 0);
        const known = code < 128 ? this.#next[slot] : this.#wide.get(node * 65_536 + code);
        if (known) {
          node = known;
          continue;
        }
        const child = count++;
        if (code < 128) this.#next[slot] = child;
        else {
          this.#wide.set(node * 65_536 + code, child);
          const codes = wideChildren.get(node);
          if (codes) codes.push(code);
          else wideChildren.set(node, [code]);
        }
        node = child;
      }
      if (node !== 0) this.#word[node] = id;
    });
    return wideChildren;
  }

  #link(wideChildren: ReadonlyMap<number, readonly number[]>): void {
    const queue: number[] = [0];
    for (let head = 0; head < queue.length; head++) {
      const node = queue[head] ?? 0;
      const fail = this.#fail[node] ?? 0;
      for (let c = 1; c < this.#width; c++) {
        const child = this.#next[node * this.#width + c] ?? 0;
        const over = node === 0 ? 0 : (this.#next[fail * this.#width + c] ?? 0);
        if (child === 0) this.#next[node * this.#width + c] = over;
        else this.#enter(child, over, queue);
      }
      for (const code of wideChildren.get(node) ?? []) {
        const child = this.#wide.get(node * 65_536 + code) ?? 0;
        this.#enter(child, node === 0 ? 0 : this.#stepWide(fail, code), queue);
      }
    }
  }

  #enter(child: number, fail: number, queue: number[]): void {
    this.#fail[child] = fail;
    this.#output[child] = this.#word[fail] === -1 ? (this.#output[fail] ?? 0) : fail;
    queue.push(child);
  }
}
