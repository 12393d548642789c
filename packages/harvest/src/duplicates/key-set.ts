/**
 * A set of 128-bit keys in typed arrays: a million of them take 24 MB. Gives each key the number under which it
 * was added first.
 */
export class KeySet {
  #keys = new Uint32Array(4 * 1024);
  #slots = new Int32Array(2048).fill(-1);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  #find(a: number, b: number, c: number, d: number): number {
    const mask = this.#slots.length - 1;
    let slot = a & mask;
    for (;;) {
      const held = this.#slots[slot] ?? -1;
      if (held === -1) return slot;
      const at = held * 4;
      const keys = this.#keys;
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d)
        return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const old = this.#keys;
    this.#keys = new Uint32Array(old.length * 2);
    this.#keys.set(old);
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let i = 0; i < this.#size; i += 1) {
      const at = i * 4;
      const slot = this.#find(old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0, old[at + 3] ?? 0);
      this.#slots[slot] = i;
    }
  }

  has(digest: Uint8Array): boolean {
    const view = new DataView(digest.buffer, digest.byteOffset, 16);
    const slot = this.#find(
      view.getUint32(0),
      view.getUint32(4),
      view.getUint32(8),
      view.getUint32(12),
    );
    return this.#slots[slot] !== -1;
  }

  /** Adds the first 16 bytes of a digest; gives the number of the equal key that was there before, or -1. */
  add(digest: Uint8Array): number {
    const view = new DataView(digest.buffer, digest.byteOffset, 16);
    const key = [
      view.getUint32(0),
      view.getUint32(4),
      view.getUint32(8),
      view.getUint32(12),
    ] as const;
    const slot = this.#find(...key);
    const held = this.#slots[slot] ?? -1;
    if (held !== -1) return held;
    this.#keys.set(key, this.#size * 4);
    this.#slots[slot] = this.#size;
    this.#size += 1;
    if (this.#size * 4 === this.#keys.length) this.#grow();
    return -1;
  }
}
