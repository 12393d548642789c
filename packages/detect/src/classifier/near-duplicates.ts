import { fold } from './ngrams.js';
import { seededRandom } from './random.js';

const SHINGLE = 5;
const BANDS = 32;
const ROWS = 4;
const HASHES = BANDS * ROWS;
const SIMILAR = 0.5;
// A text is judged by its beginning: clustering stays cheap and a template shows there.
const LONGEST = 20_000;

function signature(text: string, seeds: readonly number[]): Uint32Array {
  const folded = fold(text.slice(0, LONGEST)).replaceAll(/\s+/g, ' ').trim();
  const minima = new Uint32Array(HASHES).fill(0xffffffff);
  const shingles = new Set<number>();
  const last = Math.max(0, folded.length - SHINGLE);
  for (let start = 0; start <= last; start += 1) {
    let hash = 0x811c9dc5;
    const stop = Math.min(folded.length, start + SHINGLE);
    for (let at = start; at < stop; at += 1) {
      hash = Math.imul(hash ^ folded.charCodeAt(at), 0x01000193);
    }
    shingles.add(hash);
  }
  for (const shingle of shingles) {
    for (let index = 0; index < HASHES; index += 1) {
      let mixed = Math.imul(shingle ^ (seeds[index] ?? 0), 0x85ebca6b);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0xc2b2ae35);
      mixed = (mixed ^ (mixed >>> 16)) >>> 0;
      if (mixed < (minima[index] ?? 0)) minima[index] = mixed;
    }
  }
  return minima;
}

function similarity(left: Uint32Array, right: Uint32Array): number {
  let same = 0;
  for (let index = 0; index < HASHES; index += 1) if (left[index] === right[index]) same += 1;
  return same / HASHES;
}

/**
 * Joins near-duplicates into clusters: estimated Jaccard similarity of character 5-grams at least
 * 0.5, closed transitively. Gives every text the index of the first text of its cluster.
 */
export function clusterNearDuplicates(texts: readonly string[]): number[] {
  const random = seededRandom(0x5eed);
  const seeds = Array.from({ length: HASHES }, () => Math.floor(random() * 4_294_967_296));
  const signatures = texts.map((text) => signature(text, seeds));
  const parent = texts.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    for (let at = index; at !== root; ) {
      const next = parent[at] ?? root;
      parent[at] = root;
      at = next;
    }
    return root;
  };
  for (let band = 0; band < BANDS; band += 1) {
    const buckets = new Map<string, number[]>();
    for (const [index, minima] of signatures.entries()) {
      const key = minima.subarray(band * ROWS, (band + 1) * ROWS).join(',');
      const members = buckets.get(key) ?? [];
      // Only one text of a cluster stays in a bucket, so a crowded bucket is compared once a cluster.
      const found = members.some((member) => {
        if (rootOf(member) === rootOf(index)) return true;
        const other = signatures[member];
        if (other === undefined || similarity(minima, other) < SIMILAR) return false;
        const [first, second] = [rootOf(member), rootOf(index)].toSorted((a, b) => a - b);
        parent[second ?? index] = first ?? index;
        return true;
      });
      if (!found) buckets.set(key, [...members, index]);
    }
  }
  return texts.map((_, index) => rootOf(index));
}
