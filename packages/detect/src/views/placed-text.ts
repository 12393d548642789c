import { lazily } from './character-classes.js';

/** Up to this many units a loop is quicker than a view of the array. */
const VERY_FEW = 24;
/** Below this many units a call with them as arguments is quicker than a decoder. */
const FEW = 128;
const BLOCK = 4096;
/** Units of which arrays are quick to make, as they take no memory of their own. */
const LITTLE = 16;
/** Units of which the room is kept for the next text. */
const MOST_KEPT = 1 << 16;

const nativeUtf16 = lazily(() => {
  const little = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  return new TextDecoder(little ? 'utf-16le' : 'utf-16be', { ignoreBOM: true });
});

/** The string of some units, lone surrogates kept. */
export function textOfUnits(units: Uint16Array, size: number): string {
  if (size >= FEW && !hasSurrogates(units, size)) {
    return nativeUtf16().decode(units.subarray(0, size));
  }
  let text = '';
  if (size <= VERY_FEW) {
    for (let i = 0; i < size; i += 1) text += String.fromCharCode(units[i] ?? 0);
    return text;
  }
  for (let from = 0; from < size; from += BLOCK) {
    const part: ArrayLike<number> = units.subarray(from, Math.min(size, from + BLOCK));
    text += String.fromCharCode.apply(null, part as number[]);
  }
  return text;
}

function hasSurrogates(units: Uint16Array, size: number): boolean {
  for (let i = 0; i < size; i += 1) {
    const unit = units[i] ?? 0;
    if (unit >= 0xd800 && unit <= 0xdfff) return true;
  }
  return false;
}

/**
 * Text that is written unit by unit, with the place that each unit stands for. One is used again and
 * again, so that many short pieces cost no more than one long one.
 */
export class PlacedText {
  /** Units written so far. */
  size = 0;
  #units: Uint16Array;
  #places: Int32Array;

  constructor(room = LITTLE) {
    this.#units = new Uint16Array(room);
    this.#places = new Int32Array(room);
  }

  /** Empty again; what was very long leaves no room behind. */
  clear(): void {
    this.size = 0;
    if (this.#units.length <= MOST_KEPT) return;
    this.#units = new Uint16Array(LITTLE);
    this.#places = new Int32Array(LITTLE);
  }

  put(unit: number, place: number): void {
    const at = this.size;
    if (at === this.#units.length) this.#grow();
    this.#units[at] = unit;
    this.#places[at] = place;
    this.size = at + 1;
  }

  putText(text: string, place: number): void {
    for (let i = 0; i < text.length; i += 1) this.put(text.charCodeAt(i), place);
  }

  append(other: PlacedText): void {
    for (let i = 0; i < other.size; i += 1) this.put(other.unit(i), other.#places[i] ?? 0);
  }

  #grow(): void {
    const units = new Uint16Array(this.#units.length * 4);
    const places = new Int32Array(units.length);
    units.set(this.#units);
    places.set(this.#places);
    this.#units = units;
    this.#places = places;
  }

  unit(at: number): number {
    return this.#units[at] ?? 0;
  }

  place(at: number): number {
    return this.#places[at] ?? 0;
  }

  text(size = this.size): string {
    return textOfUnits(this.#units, size);
  }

  /** A copy of the places of the first units. */
  places(size = this.size): ArrayLike<number> {
    if (size > FEW) return this.#places.slice(0, size);
    // Short typed arrays cost more to make than lists.
    const list: number[] = [];
    for (let i = 0; i < size; i += 1) list.push(this.#places[i] ?? 0);
    return list;
  }
}
