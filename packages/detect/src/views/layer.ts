import { textOfUnits } from './placed-text.js';

/** A text on the way through the decoders; `map` and `mapEnd` as in `View`. */
export interface Layer {
  readonly text: string;
  readonly map: Int32Array;
  readonly mapEnd: Int32Array;
  readonly wide?: Wide | undefined;
  /** Every unit stands for itself. */
  readonly plain?: boolean | undefined;
  /** As in `View`. */
  readonly thinned?: boolean | undefined;
}

/** Units that are a space which stands for several white-space characters. */
export interface Wide {
  has(unit: number): boolean;
}

/** The text as it was given: every unit stands for itself. The way back is written when it is needed. */
class RawLayer implements Layer {
  readonly text: string;
  readonly plain = true;
  #map: Int32Array | undefined;
  #mapEnd: Int32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get map(): Int32Array {
    this.#map ??= counted(this.text.length, 0);
    return this.#map;
  }

  get mapEnd(): Int32Array {
    this.#mapEnd ??= counted(this.text.length, 1);
    return this.#mapEnd;
  }
}

function counted(size: number, first: number): Int32Array {
  const list = new Int32Array(size);
  for (let i = 0; i < size; i += 1) list[i] = i + first;
  return list;
}

/** Tells which units of a text are left; `size`: how many. */
type PlacesOf = (text: string, size: number) => Int32Array;

/** A text of which some units of another are left, in their order. The way back is worked out when it is needed. */
export class ThinnedLayer implements Layer {
  readonly text: string;
  readonly #of: Layer;
  readonly #placesOf: PlacesOf;
  #places: Int32Array | undefined;
  #map: Int32Array | undefined;
  #mapEnd: Int32Array | undefined;

  constructor(text: string, of: Layer, placesOf: PlacesOf) {
    this.text = text;
    this.#of = of;
    this.#placesOf = placesOf;
  }

  get #at(): Int32Array {
    this.#places ??= this.#placesOf(this.#of.text, this.text.length);
    return this.#places;
  }

  get thinned(): boolean {
    return this.#of.plain === true;
  }

  get map(): Int32Array {
    this.#map ??= this.thinned ? this.#at : picked(this.#of.map, this.#at);
    return this.#map;
  }

  get mapEnd(): Int32Array {
    this.#mapEnd ??= this.thinned ? followers(this.#at) : picked(this.#of.mapEnd, this.#at);
    return this.#mapEnd;
  }

  get wide(): Wide {
    return this;
  }

  /** Whether units were left out behind one. */
  has(unit: number): boolean {
    const after = this.#at[unit + 1] ?? this.#of.text.length;
    return after - (this.#at[unit] ?? after) > 1;
  }
}

function followers(places: Int32Array): Int32Array {
  const list = new Int32Array(places.length);
  for (let i = 0; i < list.length; i += 1) list[i] = (places[i] ?? 0) + 1;
  return list;
}

function picked(from: Int32Array, at: Int32Array): Int32Array {
  const list = new Int32Array(at.length);
  for (let i = 0; i < at.length; i += 1) list[i] = from[at[i] ?? 0] ?? 0;
  return list;
}

export function rawLayer(text: string): Layer {
  return new RawLayer(text);
}

/** The first units of a layer. */
class CutLayer implements Layer {
  readonly text: string;
  readonly #of: Layer;

  constructor(of: Layer, size: number) {
    this.text = of.text.slice(0, size);
    this.#of = of;
  }

  get map(): Int32Array {
    return this.#of.map.subarray(0, this.text.length);
  }

  get mapEnd(): Int32Array {
    return this.#of.mapEnd.subarray(0, this.text.length);
  }

  get plain(): boolean {
    return this.#of.plain === true;
  }

  get thinned(): boolean {
    return this.#of.thinned === true;
  }

  get wide(): Wide | undefined {
    return this.#of.wide;
  }
}

/** The first units of a layer. */
export function cutLayer(layer: Layer, size: number): Layer {
  return new CutLayer(layer, size);
}

/** A layer of which no part may be left out when it is edited. */
export class WholeLayer implements Layer {
  readonly text: string;
  readonly #of: Layer;

  constructor(of: Layer) {
    this.text = of.text;
    this.#of = of;
  }

  get map(): Int32Array {
    return this.#of.map;
  }

  get mapEnd(): Int32Array {
    return this.#of.mapEnd;
  }

  get wide(): Wide | undefined {
    return this.#of.wide;
  }
}

export function wholeLayer(layer: Layer): Layer {
  return new WholeLayer(layer);
}

/** Smallest raw start and largest raw end over `[start, end)` of a layer; `end > start`. */
export function rawBounds(layer: Layer, start: number, end: number): [number, number] {
  let low = layer.map[start] ?? 0;
  let high = layer.mapEnd[start] ?? 0;
  for (let i = start + 1; i < end; i += 1) {
    const from = layer.map[i] ?? low;
    const to = layer.mapEnd[i] ?? high;
    if (from < low) low = from;
    if (to > high) high = to;
  }
  return [low, high];
}

/** How the units of a piece lead back: one by one, together, by a list, or to a place between two units. */
const COPIED = 0;
const WHOLE = 1;
const PLACED = 2;
const BETWEEN = 3;
const ALIGNED = 4;

/** Numbers kept of one piece: its kind, where it begins and stops in the layer that it leads back to, and its end here. */
const STEP = 4;
/** Numbers that are reckoned with at first. */
const ROOM = 4 * STEP;

/** The pieces of a layer, in lists rather than in an object for each: hostile texts have one for every other unit. */
class Steps {
  numbers = new Int32Array(ROOM);
  /** Numbers that are in use. */
  size = 0;
  /** Text of the pieces that are not copied. */
  readonly texts: string[] = [];
  readonly positions: ArrayLike<number>[] = [];
  length = 0;
  #first: Layer | undefined;
  /** The layer of each piece, when there is more than one. */
  #layers: Layer[] | undefined;

  add(size: number, kind: number, of: Layer, from: number, to: number): void {
    if (of !== this.#first) this.#other(of);
    this.#layers?.push(of);
    this.length += size;
    const at = this.size;
    if (at === this.numbers.length) this.#grow();
    const { numbers } = this;
    numbers[at] = kind;
    numbers[at + 1] = from;
    numbers[at + 2] = to;
    numbers[at + 3] = this.length;
    this.size = at + STEP;
  }

  #grow(): void {
    const wider = new Int32Array(this.size * 4);
    wider.set(this.numbers);
    this.numbers = wider;
  }

  #other(of: Layer): void {
    const first = this.#first;
    if (first === undefined) this.#first = of;
    else this.#layers ??= Array.from({ length: this.size / STEP }, () => first);
  }

  layerOf(step: number): Layer | undefined {
    return this.#layers === undefined ? this.#first : this.#layers[step];
  }

  text(): string {
    const { numbers, texts } = this;
    if (this.size > MANY) return this.#longText();
    const parts: string[] = [];
    for (let at = 0, next = 0; at < this.size; at += STEP) {
      if (numbers[at] === COPIED) {
        const of = this.layerOf(at / STEP);
        parts.push(of?.text.slice(numbers[at + 1] ?? 0, numbers[at + 2] ?? 0) ?? '');
      } else {
        parts.push(texts[next] ?? '');
        next += 1;
      }
    }
    return parts.join('');
  }

  /** Unit by unit, which is quicker than many short parts. */
  #longText(): string {
    const { numbers, texts } = this;
    const units = new Uint16Array(this.length);
    let size = 0;
    for (let at = 0, next = 0; at < this.size; at += STEP) {
      const copied = numbers[at] === COPIED;
      const text = (copied ? this.layerOf(at / STEP)?.text : texts[next]) ?? '';
      const from = copied ? (numbers[at + 1] ?? 0) : 0;
      const to = copied ? (numbers[at + 2] ?? 0) : text.length;
      if (!copied) next += 1;
      for (let i = from; i < to; i += 1, size += 1) units[size] = text.charCodeAt(i);
    }
    return textOfUnits(units, size);
  }
}

/** Numbers of the pieces above which a text is put together unit by unit. */
const MANY = 1024;

/** A text in pieces. The way back is written when it is needed, since of most readings nobody asks for it. */
class BuiltLayer implements Layer {
  readonly text: string;
  readonly wide: Wide | undefined;
  readonly #steps: Steps;
  #map: Int32Array | undefined;
  #mapEnd: Int32Array | undefined;

  constructor(steps: Steps, wide: Wide | undefined) {
    this.text = steps.text();
    this.wide = wide;
    this.#steps = steps;
  }

  get map(): Int32Array {
    return this.#map ?? this.#write().map;
  }

  get mapEnd(): Int32Array {
    return this.#mapEnd ?? this.#write().mapEnd;
  }

  #write(): { readonly map: Int32Array; readonly mapEnd: Int32Array } {
    const map = new Int32Array(this.text.length);
    const mapEnd = new Int32Array(this.text.length);
    const { numbers, size, positions: lists } = this.#steps;
    let at = 0;
    let placed = 0;
    for (let step = 0; step < size; step += STEP) {
      const of = this.#steps.layerOf(step / STEP);
      if (of === undefined) break;
      const kind = numbers[step] ?? COPIED;
      const from = numbers[step + 1] ?? 0;
      const to = numbers[step + 2] ?? 0;
      const end = numbers[step + 3] ?? 0;
      const { map: starts, mapEnd: ends } = of;
      if (kind === COPIED) {
        for (let i = from; at < end; at += 1, i += 1) {
          map[at] = starts[i] ?? 0;
          mapEnd[at] = ends[i] ?? 0;
        }
      } else if (kind === ALIGNED) {
        for (let i = from; at < end; at += 1, i += 1) {
          const place = i < to ? i : to - 1;
          map[at] = starts[place] ?? 0;
          mapEnd[at] = ends[place] ?? 0;
        }
      } else if (kind === PLACED) {
        const positions = lists[placed] ?? [];
        placed += 1;
        for (let i = 0; at < end; at += 1, i += 1) {
          const place = positions[i] ?? 0;
          map[at] = starts[place] ?? 0;
          mapEnd[at] = ends[place] ?? 0;
        }
      } else {
        const edge = (kind === WHOLE ? starts[from] : ends[from]) ?? 0;
        const [low, high] = to > from ? rawBounds(of, from, to) : [edge, edge];
        map.fill(low, at, end);
        mapEnd.fill(high, at, end);
        at = end;
      }
    }
    this.#map = map;
    this.#mapEnd = mapEnd;
    return { map, mapEnd };
  }
}

/** Writes a layer piece by piece, keeping the way back to the raw text. */
export class LayerBuilder {
  readonly #steps = new Steps();

  get length(): number {
    return this.#steps.length;
  }

  #add(text: string, kind: number, of: Layer, from: number, to: number): void {
    if (text.length === 0) return;
    this.#steps.texts.push(text);
    this.#steps.add(text.length, kind, of, from, to);
  }

  /** Takes over `[start, end)` of another layer unchanged. */
  copy(layer: Layer, start: number, end: number): void {
    if (end > start) this.#steps.add(end - start, COPIED, layer, start, end);
  }

  /** Appends text, all of which stands for `[start, end)` of a layer. */
  put(text: string, layer: Layer, start: number, end: number): void {
    this.#add(text, WHOLE, layer, start, end);
  }

  /** Appends text of which unit `i` stands for unit `start + i` of a layer, or for the last before `end`. */
  align(text: string, layer: Layer, start: number, end: number): void {
    this.#add(text, ALIGNED, layer, start, end);
  }

  /** Appends text that stands for nothing, after a unit of a layer. */
  insert(text: string, layer: Layer, place: number): void {
    this.#add(text, BETWEEN, layer, place, place);
  }

  /** Appends text of which unit `i` stands for unit `positions[i]` of `layer`. */
  place(text: string, layer: Layer, positions: ArrayLike<number>): void {
    if (text.length === 0) return;
    this.#steps.positions.push(positions);
    this.#add(text, PLACED, layer, 0, 0);
  }

  finish(wide?: ReadonlySet<number>): Layer {
    return new BuiltLayer(this.#steps, wide);
  }
}
