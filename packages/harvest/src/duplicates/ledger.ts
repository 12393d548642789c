import { hash } from 'node:crypto';
import { exactKey, nearKey } from '../normalise.js';
import { KeySet } from './key-set.js';
import { NearIndex } from './near-index.js';

export type Dedupe = 'off' | 'exact' | 'near';

export interface Clusters {
  /** Name of the cluster of an entry. */
  readonly name: (entry: number) => string;
  /** Whether the entry shares a cluster with a text of another file that was checked against. */
  readonly near: (entry: number) => boolean;
  readonly clusters: number;
  readonly rows: number;
}

export function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** Six bytes of a digest for each entry, packed. */
class NameList {
  #bytes = Buffer.alloc(6 * 1024);
  #size = 0;

  add(digest: Uint8Array): void {
    if (this.#size === this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#bytes.set(digest.subarray(0, 6), this.#size);
    this.#size += 6;
  }

  at(entry: number): string {
    return this.#bytes.toString('hex', entry * 6, entry * 6 + 6);
  }
}

/** Keeps what is needed to tell duplicates: digests and signatures, never the texts. */
export class Ledger {
  readonly dedupe: Dedupe;
  readonly #keys = new KeySet();
  readonly #texts = new KeySet();
  readonly #reference = new KeySet();
  readonly #firstLabel: (string | null)[] = [];
  readonly #near: NearIndex | null;
  readonly #names = new NameList();
  #references = 0;
  #entries = 0;
  conflicts = 0;

  constructor(dedupe: Dedupe, seed: number, threshold: number) {
    this.dedupe = dedupe;
    this.#near = dedupe === 'near' ? new NearIndex(seed, threshold) : null;
  }

  /** A text of a file that is checked against. All of them come before the first `add`. */
  addReference(text: string): void {
    this.#reference.add(digestOf(exactKey(text)));
    this.#near?.add(nearKey(text));
    this.#references += 1;
  }

  inReference(digest: Uint8Array): boolean {
    return this.#references > 0 && this.#reference.has(digest);
  }

  /** The number of the kept entry that this one repeats, or -1. `kind` tells apart what is equal but for its label. */
  repeats(digest: Uint8Array, kind: number): number {
    if (this.dedupe === 'off') return -1;
    const key = new Uint8Array(digest.subarray(0, 16));
    key[15] = (key[15] ?? 0) ^ kind;
    return this.#keys.add(key);
  }

  /** Adds a row that is kept, and gives its number. `digest` is that of the text's exact key. */
  add(text: string, digest: Uint8Array, label: string | null): number {
    const number = this.#entries;
    this.#entries += 1;
    if (this.dedupe === 'off') return number;
    const held = this.#texts.add(digest);
    if (held === -1) this.#firstLabel.push(label);
    else if (this.#firstLabel[held] !== label) this.conflicts += 1;
    this.#names.add(digest);
    this.#near?.add(nearKey(text));
    return number;
  }

  clusters(): Clusters | null {
    if (this.#near === null) return null;
    const roots = this.#near.clusters();
    const shift = this.#references;
    // The first own row of each cluster gives it its name, whatever it is checked against.
    const firstOwn = new Int32Array(roots.length).fill(-1);
    const sizes = new Int32Array(roots.length);
    let rows = 0;
    let clusters = 0;
    for (let i = shift; i < roots.length; i += 1) {
      const root = roots[i] ?? i;
      sizes[root] = (sizes[root] ?? 0) + 1;
      if (firstOwn[root] === -1) firstOwn[root] = i - shift;
      else {
        rows += 1;
        if (sizes[root] === 2) clusters += 1;
      }
    }
    return {
      name: (entry) => this.#names.at(firstOwn[roots[entry + shift] ?? 0] ?? 0),
      near: (entry) => (roots[entry + shift] ?? shift) < shift,
      clusters,
      rows,
    };
  }

  /** Name of a row that is its own cluster. */
  own(entry: number): string {
    return this.#names.at(entry);
  }
}
