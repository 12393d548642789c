/** A text on the way through the decoders; `map` and `mapEnd` as in `View`. */
export interface Layer {
  readonly text: string;
  readonly map: Int32Array;
  readonly mapEnd: Int32Array;
  /** Units that are a space which stands for several white-space characters. */
  readonly wide?: ReadonlySet<number>;
}

/** The text as it was given: every unit stands for itself. The way back is written when it is needed. */
class RawLayer implements Layer {
  readonly text: string;
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

/** A text of which some units of another are left, in their order. The way back is worked out when it is needed. */
export class ThinnedLayer implements Layer {
  readonly text: string;
  readonly #of: Layer;
  readonly #places: () => Places;
  #found: Places | undefined;
  #map: Int32Array | undefined;
  #mapEnd: Int32Array | undefined;

  /** `places` tells which units of `of` are left. */
  constructor(text: string, of: Layer, places: () => Places) {
    this.text = text;
    this.#of = of;
    this.#places = places;
  }

  get #kept(): Places {
    this.#found ??= this.#places();
    return this.#found;
  }

  get map(): Int32Array {
    this.#map ??= picked(this.#of.map, this.#kept.at);
    return this.#map;
  }

  get mapEnd(): Int32Array {
    this.#mapEnd ??= picked(this.#of.mapEnd, this.#kept.at);
    return this.#mapEnd;
  }

  get wide(): ReadonlySet<number> {
    return this.#kept.wide;
  }
}

/** Units that are left of a layer. */
export interface Places {
  readonly at: Int32Array;
  readonly wide: ReadonlySet<number>;
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
export function cutLayer(layer: Layer, size: number): Layer {
  const { text, wide } = layer;
  const rest = wide === undefined ? {} : { wide };
  if (layer instanceof RawLayer) return new RawLayer(text.slice(0, size));
  const [map, mapEnd] = [layer.map.subarray(0, size), layer.mapEnd.subarray(0, size)];
  return { text: text.slice(0, size), map, mapEnd, ...rest };
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

/** Below this many units a loop is quicker than copying typed arrays. */
const SHORT = 40;

/** Writes a layer piece by piece, keeping the way back to the raw text. */
export class LayerBuilder {
  #parts: string[] = [];
  #map: Int32Array;
  #mapEnd: Int32Array;
  #length = 0;

  constructor(capacity: number) {
    this.#map = new Int32Array(Math.max(16, capacity));
    this.#mapEnd = new Int32Array(Math.max(16, capacity));
  }

  get length(): number {
    return this.#length;
  }

  #reserve(extra: number): void {
    const needed = this.#length + extra;
    if (needed <= this.#map.length) return;
    const size = Math.max(needed, this.#map.length * 2);
    const map = new Int32Array(size);
    const mapEnd = new Int32Array(size);
    map.set(this.#map.subarray(0, this.#length));
    mapEnd.set(this.#mapEnd.subarray(0, this.#length));
    this.#map = map;
    this.#mapEnd = mapEnd;
  }

  /** Takes over `[start, end)` of another layer unchanged. */
  copy(layer: Layer, start: number, end: number): void {
    if (end <= start) return;
    this.#reserve(end - start);
    this.#parts.push(layer.text.slice(start, end));
    const map = this.#map;
    const mapEnd = this.#mapEnd;
    let to = this.#length;
    if (end - start < SHORT) {
      for (let i = start; i < end; i += 1) {
        map[to] = layer.map[i] ?? 0;
        mapEnd[to] = layer.mapEnd[i] ?? 0;
        to += 1;
      }
    } else {
      map.set(layer.map.subarray(start, end), to);
      mapEnd.set(layer.mapEnd.subarray(start, end), to);
      to += end - start;
    }
    this.#length = to;
  }

  /** Appends text, each unit of which stands for the raw span `[rawStart, rawEnd)`. */
  put(text: string, rawStart: number, rawEnd: number): void {
    if (text.length === 0) return;
    this.#reserve(text.length);
    this.#parts.push(text);
    const stop = this.#length + text.length;
    for (let i = this.#length; i < stop; i += 1) {
      this.#map[i] = rawStart;
      this.#mapEnd[i] = rawEnd;
    }
    this.#length = stop;
  }

  /** Appends text of which unit `i` stands for unit `positions[i]` of `layer`. */
  place(text: string, layer: Layer, positions: ArrayLike<number>): void {
    this.#reserve(text.length);
    this.#parts.push(text);
    for (let i = 0; i < text.length; i += 1) {
      const at = positions[i] ?? 0;
      this.#map[this.#length + i] = layer.map[at] ?? 0;
      this.#mapEnd[this.#length + i] = layer.mapEnd[at] ?? 0;
    }
    this.#length += text.length;
  }

  finish(): Layer {
    // A view on the buffer is enough unless most of the buffer would be kept for nothing.
    const full = this.#length * 2 >= this.#map.length;
    const map = this.#map.subarray(0, this.#length);
    const mapEnd = this.#mapEnd.subarray(0, this.#length);
    return {
      text: this.#parts.join(''),
      map: full ? map : map.slice(),
      mapEnd: full ? mapEnd : mapEnd.slice(),
    };
  }
}
