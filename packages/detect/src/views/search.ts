import type { View, ViewNotice } from '../types.js';
import { lazily } from './character-classes.js';
import { decoders, hiddenChannels, inPlace } from './decoders/decoders.js';
import { type Layer, wholeLayer } from './layer.js';
import { countWords } from './legibility.js';
import { type Node, Root, readingOf, rooms, worthOf } from './node.js';
import { Phrases } from './novelty.js';
import { type Decoded as DecodedText, type Reading, withBreaks } from './reading.js';
import type { Tokens } from './tokens.js';
import { HIDDEN } from './traits.js';

export interface Bounds {
  /** Decoders applied one after another to one reading. */
  readonly depth: number;
  /** Readings made of one text. */
  readonly readings: number;
  /** UTF-16 units of all readings together. */
  readonly units: number;
}

const NOTHING: readonly Node[] = [];
/** Units from which a reading is decoded further only when it says more than the one that it was made of. */
const LARGE = 8_192;
/** Notices kept of one text. */
const MAX_NOTICES = 64;
/** Rounds in which all decoders that act in place are applied on top of one another. */
const ROUNDS = 3;

/** What decoders need, of characters and of runs by turns; apart from them, so that most are never touched. */
const needs: () => Int32Array = lazily(() =>
  Int32Array.from(decoders.flatMap((one) => [one.needs, one.needsRuns])),
);

/** Whether a decoder may make anything of a reading. */
function isWanted(all: Int32Array, index: number, traits: number, runs: number): boolean {
  return ((traits & (all[2 * index] ?? 0)) | (runs & (all[2 * index + 1] ?? 0))) !== 0;
}

/** The text itself as a view. */
class Original implements View {
  readonly name = 'original';
  readonly #root: Reading;

  constructor(root: Reading) {
    this.#root = root;
  }

  get text(): string {
    return this.#root.shown.text;
  }

  get plain(): boolean {
    return this.#root.shown.plain === true;
  }

  get thinned(): boolean {
    return this.#root.shown.thinned === true;
  }

  get map(): Int32Array {
    return this.#root.shown.map;
  }

  get mapEnd(): Int32Array {
    return this.#root.shown.mapEnd;
  }
}

/** The way back is worked out when something was found. */
class Decoded implements View {
  readonly name: string;
  readonly text: string;
  readonly #layer: Layer;

  constructor(name: string, text: string, layer: Layer) {
    this.name = name;
    this.text = text;
    this.#layer = layer;
  }

  get map(): Int32Array {
    return this.#layer.map;
  }

  get mapEnd(): Int32Array {
    return this.#layer.mapEnd;
  }
}

/** Words below which a reading is not judged, and how many of them there are for each known one in noise. */
const MANY_WORDS = 64;
const STRANGE = 12;
/** Units for each word of a text; encoded text has fewer words. */
const WORDY = 12;

/** Whether a reading is made of words of which hardly any is known, in plain or enciphered: it came about by chance. */
function isNoise({ words, tokens: { count }, source }: Node): boolean {
  if (count < MANY_WORDS || count * WORDY < source.text.length) return false;
  return words * STRANGE < count;
}

function joinName(parent: string, name: string): string {
  if (parent === '') return name;
  return parent === name || parent.endsWith(`+${name}`) ? parent : `${parent}+${name}`;
}

/** The decode graph of one text, built as far as the bounds allow. */
export class Search {
  readonly views: View[];
  readonly notices: ViewNotice[] = [];
  readonly #bounds: Bounds;
  readonly #meter: ((units: number) => void) | undefined;
  #phrases: Phrases | undefined;
  /** Readings by their text, from the second one on; most texts have one. */
  #known: Map<string, Node> | undefined;
  #noticed: Set<string> | undefined;
  readonly #queue: Node[] = [];
  readonly #root: Root;
  /** All decoders that act in place were tried on top of one another before each alone. */
  #swept = false;
  #units = 0;
  #readings = 0;
  #exhausted = '';
  /** The units are spent, so that a further decoder would run for nothing. */
  #spent = false;

  constructor(text: string, bounds: Bounds, meter?: (units: number) => void) {
    this.#bounds = bounds;
    this.#meter = meter;
    this.#root = new Root(text);
    this.views = [new Original(this.#root)];
  }

  /** Whether the text has characters that are not drawn and may carry something. */
  get hides(): boolean {
    return (this.#root.characters & HIDDEN) !== 0;
  }

  readonly notice = (found: ViewNotice): void => {
    const key = `${found.kind} ${found.span.start} ${found.span.end}`;
    this.#noticed ??= new Set();
    if (this.#noticed.has(key) || this.notices.length >= MAX_NOTICES) return;
    this.#noticed.add(key);
    this.notices.push(found);
  };

  #add(name: string, depth: number, source: Layer): Node {
    const reading = readingOf(source);
    const { shown, tokens } = reading;
    const count = countWords(tokens);
    const score = 8 * count.triggers + 4 * count.hidden + count.known - shown.text.length / 512;
    const words = worthOf(count);
    const novel = this.#isNovel(shown.text, tokens);
    const { traits, runs } = reading;
    const node: Node = {
      source,
      shown,
      tokens,
      traits,
      runs,
      name,
      depth,
      score,
      words,
      novel,
      ran: 0,
      children: undefined,
    };
    this.#known?.set(source.text, node);
    return node;
  }

  /** Most texts have one reading only, so phrases are taken in when the second comes. */
  #isNovel(text: string, tokens: Tokens): boolean {
    if (this.#phrases === undefined) {
      const { source, shown, tokens: first } = this.#root;
      this.#phrases = new Phrases(source.text.length);
      this.#phrases.take(shown.text, first);
    }
    return this.#phrases.take(text, tokens) > 0;
  }

  /** What a decoder makes of a reading; a reading that is known already is not made again. */
  #derive(node: Node, index: number): readonly Node[] {
    if ((node.ran & (1 << index)) !== 0) return node.children?.[index] ?? NOTHING;
    if (!isWanted(needs(), index, node.traits, node.runs)) return NOTHING;
    this.#meter?.(node.source.text.length);
    const result = decoders[index]?.decode(node, this.notice);
    node.ran |= 1 << index;
    if (result === undefined) return NOTHING;
    const nodes: Node[] = [];
    for (const decoded of 'layer' in result ? [result] : result) {
      const child = this.#child(node, decoded);
      if (child !== undefined) nodes.push(child);
    }
    node.children ??= [];
    node.children[index] = nodes;
    return nodes;
  }

  #child(node: Node, { name, layer, legible, final = false }: DecodedText): Node | undefined {
    const size = layer.text.length;
    this.#known ??= new Map([[this.#root.source.text, this.#root]]);
    const known = this.#known.get(layer.text);
    if (size === 0 || known !== undefined) return known !== node ? known : undefined;
    if (node.depth >= this.#bounds.depth) {
      this.#exhausted = `more than ${this.#bounds.depth} encodings inside each other`;
      return undefined;
    }
    if (this.#units + size > this.#bounds.units || this.#readings >= this.#bounds.readings) {
      this.#exhausted = 'more decoded text than the bound';
      this.#spent = true;
      return undefined;
    }
    this.#units += size;
    this.#readings += 1;
    const child = this.#add(joinName(node.name, name), node.depth + 1, layer);
    if (child.novel) {
      const { shown } = child;
      // A long reading without a word more came about by chance, as letters do in a table of numbers.
      const more = !legible || size < LARGE || child.words > node.words;
      // What a decoder makes of a text is looked at further whatever it is; of noise, nothing is made of that again.
      const noise = this.#swept && child.depth > 1 && isNoise(child);
      if (more && !final && !noise) this.#queue.push(child);
      if (legible) this.views.push(new Decoded(child.name, withBreaks(shown.text), shown));
    }
    return child;
  }

  /** Applies every decoder to a reading. */
  #expand(node: Node): void {
    const all = needs();
    const { traits, runs } = node;
    for (let i = 0; i < decoders.length && !this.#spent; i += 1) {
      if (isWanted(all, i, traits, runs)) this.#derive(node, i);
    }
  }

  /**
   * Applies the decoders that act in place on top of one another, so that pieces of many kinds,
   * decoys among them, are all read after one reading for each kind.
   */
  #sweep(): void {
    let node: Node = this.#root;
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = node;
      for (const index of inPlace) {
        if (this.#spent) return;
        const [child] = this.#derive(node, index);
        if (child !== undefined && child.depth > node.depth) node = child;
      }
      if (node === start) return;
    }
  }

  /**
   * When decoys have spent the units: one reading of the whole text in which every decoder that acts in place
   * has had its turn, one after another. What lies between is not kept, so this costs as much as one expansion.
   */
  #sweepAll(): void {
    let reading: Reading = this.#root;
    let name = '';
    for (const index of inPlace) {
      const { source, shown, tokens, traits, runs } = reading;
      if (!isWanted(needs(), index, traits, runs)) continue;
      const whole = { source: wholeLayer(source), shown: wholeLayer(shown), tokens, traits, runs };
      this.#meter?.(source.text.length);
      const result = decoders[index]?.decode(whole, this.notice);
      const first = result === undefined || 'layer' in result ? result : result[0];
      if (first === undefined || first.layer.text === '') continue;
      reading = readingOf(first.layer);
      name = joinName(name, first.name);
    }
    if (reading === this.#root) return;
    this.views.push(new Decoded(name, withBreaks(reading.shown.text), reading.shown));
  }

  /** Builds the graph: the direct readings, all of them together, then the most telling first. */
  run(sweepFirst: boolean): void {
    const room = rooms();
    const { taken } = room;
    try {
      this.#build(sweepFirst);
    } finally {
      // What was tokenised is not to be looked at any more.
      room.taken = taken;
    }
  }

  /** Only notices characters that are not drawn and carry something. */
  noticeHidden(): void {
    if (!this.hides) return;
    const room = rooms();
    const { taken } = room;
    try {
      for (const decoder of hiddenChannels) decoder.decode(this.#root, this.notice);
    } finally {
      room.taken = taken;
    }
  }

  #build(sweepFirst: boolean): void {
    // Whatever the bounds, hidden characters are noticed.
    if (this.hides) for (let i = 0; i < hiddenChannels.length; i += 1) this.#derive(this.#root, i);
    this.#swept = sweepFirst;
    if (sweepFirst) this.#sweep();
    this.#expand(this.#root);
    if (this.#queue.length > 1) this.#sweep();
    while (this.#queue.length > 0 && !this.#spent) this.#expand(this.#next());
    if (this.#spent) this.#sweepAll();
    if (this.#exhausted === '') return;
    const span = { start: 0, end: this.#root.source.text.length };
    this.notice({ kind: 'budget-exhausted', detail: this.#exhausted, span });
  }

  #next(): Node {
    let best = 0;
    for (let i = 1; i < this.#queue.length; i += 1) {
      if ((this.#queue[i]?.score ?? 0) > (this.#queue[best]?.score ?? 0)) best = i;
    }
    const [node] = this.#queue.splice(best, 1);
    return node ?? this.#root;
  }
}
