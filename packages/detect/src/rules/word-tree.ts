/** Entries of a row of a table of moves, as a power of two. */
export const ROW_BITS = 5;

/** Nodes that a table of two bytes can name. */
const MOST_NARROW = 32_766;

/** Words as a tree of their characters. Lists go by node, those nearest to the root first; 0 is the root. */
export interface WordTree {
  readonly count: number;
  readonly parent: Int32Array;
  readonly codes: Uint16Array;
  /** The word that ends at a node, or -1. */
  readonly word: Int32Array;
  /** Children on characters of a class, in rows: twice one more than the child, or 0. */
  readonly next: Uint16Array | Int32Array;
  /** Children on other characters, by node times 65,536 and character. */
  readonly wide: ReadonlyMap<number, number>;
  /** 1 for nodes with children in `wide`. */
  readonly hasWide: Uint8Array;
}

/** The tree in the order in which words came: the first child of each node, and the next one of the same parent. */
interface Grown {
  readonly count: number;
  readonly first: Int32Array;
  readonly sibling: Int32Array;
  readonly codes: Uint16Array;
  readonly word: Int32Array;
}

function grow(words: readonly string[]): Grown {
  let most = 1;
  for (const word of words) most += word.length;
  const first = new Int32Array(most);
  const sibling = new Int32Array(most);
  const codes = new Uint16Array(most);
  const word = new Int32Array(most).fill(-1);
  let count = 1;
  for (let id = 0; id < words.length; id++) {
    const text = words[id] ?? '';
    let node = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      let child = first[node] ?? 0;
      let steps = 0;
      while (child !== 0 && codes[child] !== code) {
        child = sibling[child] ?? 0;
        steps += 1;
      }
      if (child === 0) {
        child = count++;
        codes[child] = code;
        sibling[child] = first[node] ?? 0;
        first[node] = child;
      } else if (steps > 0) bringForward(first, sibling, node, child);
      node = child;
    }
    if (node !== 0) word[node] = id;
  }
  return { count, first, sibling, codes, word };
}

/** Children that were asked for last are found first, as many words begin alike. */
function bringForward(first: Int32Array, sibling: Int32Array, node: number, child: number): void {
  let before = first[node] ?? 0;
  while (sibling[before] !== child) before = sibling[before] ?? 0;
  sibling[before] = sibling[child] ?? 0;
  sibling[child] = first[node] ?? 0;
  first[node] = child;
}

/** Puts words into a tree. `classOf` gives the class of a character below `classes`, or another number. */
export function buildTree(
  words: readonly string[],
  classOf: Uint8Array,
  classes: number,
): WordTree {
  const grown = grow(words);
  const { count } = grown;
  const size = count << ROW_BITS;
  const next = count <= MOST_NARROW ? new Uint16Array(size) : new Int32Array(size);
  const wide = new Map<number, number>();
  const hasWide = new Uint8Array(count);
  const parent = new Int32Array(count);
  const codes = new Uint16Array(count);
  const word = new Int32Array(count).fill(-1);
  /** By node, what it was called while the tree grew. */
  const called = new Int32Array(count);
  let known = 1;
  for (let node = 0; node < known; node++) {
    for (let at = grown.first[called[node] ?? 0] ?? 0; at !== 0; at = grown.sibling[at] ?? 0) {
      const child = known++;
      const code = grown.codes[at] ?? 0;
      const kind = code < 128 ? (classOf[code] ?? classes) : classes;
      called[child] = at;
      parent[child] = node;
      codes[child] = code;
      word[child] = grown.word[at] ?? -1;
      if (kind < classes) next[(node << ROW_BITS) | kind] = (child + 1) << 1;
      else {
        wide.set(node * 65_536 + code, child);
        hasWide[node] = 1;
      }
    }
  }
  return { count, parent, codes, word, next, wide, hasWide };
}
