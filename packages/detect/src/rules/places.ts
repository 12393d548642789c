/** Places to begin at that are kept one by one; of more a match is looked for everywhere between. */
const MOST_BEGINS = 24;

/** Numbers of a place that are kept between searches; a longer list is dropped with its text. */
const KEPT = 1 << 15;

/** Numbers of a place; those of its beginnings follow. */
const SIZE = 32;
const START = 0;
const END = 1;
const CHAIN = 2;
const AHEAD = 3;
const COUNT = 4;
const NEXT = 5;
const BEGINS = 8;
/** Numbers of a list of first words, beside how many there were. */
const RING = SIZE - 1;

/**
 * Where matches of patterns can begin, up to the last required word of one: per pattern a list of places in ascending
 * order. It is filled anew by each search in the same memory, since most texts have a few places only, and to make
 * objects for them takes longer than to look at them.
 */
export class Places {
  #list: Int32Array = new Int32Array(SIZE * 32);
  #used = 0;
  /** Per pattern: the search that wrote it, its first place, and its last one. */
  readonly #marks: Int32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  #search = 0;
  /** Patterns that have places, in the order in which the first of each was found. */
  readonly patterns: number[] = [];
  /** Where first words of chains were seen. */
  readonly firsts = new Firsts();

  constructor(patterns: number) {
    this.#marks = new Int32Array(patterns);
    this.#first = new Int32Array(patterns);
    this.#last = new Int32Array(patterns);
  }

  clear(): void {
    this.#used = 0;
    this.patterns.length = 0;
    this.firsts.clear();
    if (this.#list.length > KEPT) this.#list = new Int32Array(SIZE * 32);
    this.#search += 1;
    if (this.#search < 0x7fffffff) return;
    this.#search = 1;
    this.#marks.fill(0);
  }

  /** The first place of a pattern, or -1. */
  first(pattern: number): number {
    return this.#marks[pattern] === this.#search ? (this.#first[pattern] ?? -1) : -1;
  }

  /** The next place of the same pattern, or -1. */
  next(place: number): number {
    return this.#list[place + NEXT] ?? -1;
  }

  start(place: number): number {
    return this.#list[place + START] ?? 0;
  }

  end(place: number): number {
    return this.#list[place + END] ?? 0;
  }

  /** Units before each beginning at which a match can begin as well. */
  ahead(place: number): number {
    return this.#list[place + AHEAD] ?? 0;
  }

  /** How many beginnings are known: a match begins there or shortly before, see `ahead`; 0 when it may begin anywhere. */
  begins(place: number): number {
    return this.#list[place + COUNT] ?? 0;
  }

  /** One of the beginnings, in ascending order. */
  begin(place: number, index: number): number {
    return this.#list[place + BEGINS + index] ?? 0;
  }

  /** A place from which a pattern is looked for in all of a text. */
  addWhole(pattern: number, end: number): void {
    const place = this.#make(pattern);
    this.#list[place + END] = end;
    this.#list[place + COUNT] = 0;
  }

  /**
   * Puts the place that a chain reached with those before it. `start`: where its first word stands, and `ahead` what may
   * stand before that; `firsts`: the list of its first words, or -1 when `start` is the only one.
   */
  add(
    pattern: number,
    chain: number,
    start: number,
    end: number,
    ahead: number,
    firsts: number,
  ): void {
    const from = start > ahead ? start - ahead : 0;
    const known = this.#marks[pattern] === this.#search;
    let list = this.#list;
    const last = known ? (this.#last[pattern] ?? 0) : -1;
    if (last < 0 || from > (list[last + END] ?? 0)) {
      const place = this.#make(pattern);
      list = this.#list;
      list[place + START] = from;
      list[place + END] = end;
      list[place + CHAIN] = chain;
      list[place + AHEAD] = ahead;
      list[place + COUNT] = 0;
      if (firsts >= 0) this.#take(place, firsts, start - 1);
      else this.#push(place, start);
      return;
    }
    if (from < (list[last + START] ?? 0)) list[last + START] = from;
    list[last + END] = end;
    const count = list[last + COUNT] ?? 0;
    if (count === 0) return;
    if (list[last + CHAIN] !== chain) {
      list[last + COUNT] = 0;
      return;
    }
    const latest = list[last + BEGINS + count - 1] ?? 0;
    if (firsts >= 0) this.#take(last, firsts, latest);
    else if (start > latest) this.#push(last, start);
    // A longer word that ends later began earlier: `password` after the `wor` in it.
    else if (start < latest) list[last + COUNT] = 0;
  }

  #make(pattern: number): number {
    const place = this.#used;
    this.#used += SIZE;
    this.#list = withRoom(this.#list, this.#used);
    if (this.#marks[pattern] === this.#search) {
      this.#list[(this.#last[pattern] ?? 0) + NEXT] = place;
    } else {
      this.#marks[pattern] = this.#search;
      this.#first[pattern] = place;
      this.patterns.push(pattern);
    }
    this.#last[pattern] = place;
    this.#list[place + START] = 0;
    this.#list[place + AHEAD] = 0;
    this.#list[place + NEXT] = -1;
    return place;
  }

  /** Takes over the first words behind `after`; when there are too many, a match may begin anywhere. */
  #take(place: number, firsts: number, after: number): void {
    const more = this.firsts.countAfter(firsts, after);
    const own = this.#list[place + COUNT] ?? 0;
    if (more + own > MOST_BEGINS) {
      this.#list[place + COUNT] = 0;
      return;
    }
    for (let k = more; k > 0; k--) this.#push(place, this.firsts.fromEnd(firsts, k));
  }

  #push(place: number, begin: number): void {
    const count = this.#list[place + COUNT] ?? 0;
    if (count === MOST_BEGINS) {
      this.#list[place + COUNT] = 0;
      return;
    }
    this.#list[place + BEGINS + count] = begin;
    this.#list[place + COUNT] = count + 1;
  }
}

/** Where first words of chains were seen: the latest of each, as no more are needed than a place keeps. */
export class Firsts {
  #list: Int32Array = new Int32Array(SIZE * 32);
  #used = 0;

  clear(): void {
    this.#used = 0;
    if (this.#list.length > KEPT) this.#list = new Int32Array(SIZE * 32);
  }

  /** A list with one place in it. */
  open(at: number): number {
    const list = this.#used;
    this.#used += SIZE;
    this.#list = withRoom(this.#list, this.#used);
    this.#list[list] = 1;
    this.#list[list + 1] = at;
    return list;
  }

  /** One that stands before the last, as a longer word does that ends later, leaves a list without an order. */
  push(list: number, at: number): void {
    const seen = this.#list[list] ?? 0;
    if (seen < 0) return;
    if (at < this.fromEnd(list, 1)) {
      this.#list[list] = -1;
      return;
    }
    this.#list[list] = seen + 1;
    this.#list[list + 1 + (seen % RING)] = at;
  }

  /** How many of a list stand behind a place: more than a place keeps are not counted, and without an order it is as if there were more. */
  countAfter(list: number, place: number): number {
    const seen = this.#list[list] ?? 0;
    if (seen < 0) return MOST_BEGINS + 1;
    const most = Math.min(seen, MOST_BEGINS + 1);
    let count = 0;
    while (count < most && this.fromEnd(list, count + 1) > place) count += 1;
    return count;
  }

  /** The last one for 1, the one before for 2, and so on. */
  fromEnd(list: number, k: number): number {
    return this.#list[list + 1 + (((this.#list[list] ?? 0) - k) % RING)] ?? 0;
  }
}

function withRoom(list: Int32Array, size: number): Int32Array {
  if (size <= list.length) return list;
  const wider = new Int32Array(list.length * 4);
  wider.set(list);
  return wider;
}
