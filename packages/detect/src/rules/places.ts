import type { Span } from '../types.js';

/** Places to begin at that are kept one by one; of more a match is looked for everywhere between. */
const MOST_BEGINS = 24;

/** Where matches of a pattern can begin, up to the last required word of one. */
export interface Place extends Span {
  /** The only units at which a match can begin, or shortly before, see `ahead`; none when it may be any. */
  readonly begins: readonly number[];
  /** Units before each of `begins` at which a match can begin as well. */
  readonly ahead: number;
}

export interface OpenPlace extends Place {
  start: number;
  end: number;
  begins: number[];
  readonly chain: number;
}

interface Reached {
  readonly start: number;
  readonly end: number;
  readonly chain: number;
  readonly ahead: number;
  /** Where first words of the chain stand; only `start` without it. */
  readonly begins: readonly number[] | undefined;
}

/** Puts a place that a chain reached with those before it. */
export function addPlace(found: Map<number, OpenPlace[]>, pattern: number, reached: Reached): void {
  const { start, end, chain, ahead, begins } = reached;
  let places = found.get(pattern);
  if (!places) {
    places = [];
    found.set(pattern, places);
  }
  const last = places.at(-1);
  const first = Math.max(0, start - ahead);
  if (!last || first > last.end) {
    const kept = begins ? after(begins, start - 1) : [start];
    places.push({ start: first, end, chain, ahead, begins: kept });
    return;
  }
  last.start = Math.min(last.start, first);
  last.end = end;
  if (last.begins.length === 0) return;
  if (last.chain !== chain) {
    last.begins = [];
    return;
  }
  const more = begins ? after(begins, last.begins.at(-1) ?? end) : [start];
  if (more.length === 0 && begins && (begins.at(-1) ?? -1) > (last.begins.at(-1) ?? end)) {
    last.begins = [];
    return;
  }
  for (const at of more) if (at > (last.begins.at(-1) ?? end)) last.begins.push(at);
  if (last.begins.length > MOST_BEGINS) last.begins = [];
}

/** The places of an ascending list that come after one; none when they are too many to be kept. */
function after(list: readonly number[], place: number): number[] {
  let from = list.length;
  while (from > 0 && (list[from - 1] ?? 0) > place) {
    from -= 1;
    if (list.length - from > MOST_BEGINS) return [];
  }
  return list.slice(from);
}
