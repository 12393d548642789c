import { lazily } from './character-classes.js';
import { type Layer, rawLayer } from './layer.js';
import { countWords, type WordCount } from './legibility.js';
import { normalize } from './normalize.js';
import type { Reading } from './reading.js';
import { LITERALS } from './run-traits.js';
import { type TokenRoom, type Tokens, tokenize, tokenRoom } from './tokens.js';
import { charactersOf, UNSTABLE } from './traits.js';

/** A reading in the decode graph of a text. */
export interface Node extends Reading {
  readonly name: string;
  readonly depth: number;
  /** How much the reading says; the most telling is decoded further first. */
  readonly score: number;
  /** Known words, those that attacks turn on twice, and enciphered ones. */
  readonly words: number;
  /** Whether it shows a phrase that no reading before it showed. */
  readonly novel: boolean;
  /** Decoders that have run on it, as bits by their index, of which there are no more than 32. */
  ran: number;
  /** What each of them made of it, by their index, when one made anything. */
  children: (readonly Node[] | undefined)[] | undefined;
}

/** Runs that arrays for tokens have room for which are used for one text after another. */
const ROOM = 4_096;
/** Such arrays that are kept. */
const ROOMS = 4;
/** Arrays for the tokens of readings, one for each, given back all together when a text is done. */
class Rooms {
  readonly #rooms: TokenRoom[] = [];
  /** Rooms in use; those of a text within which another is decoded come first. */
  taken = 0;

  tokenize(text: string): Tokens {
    if (this.taken >= ROOMS || text.length > 4 * ROOM) return tokenize(text);
    this.#rooms[this.taken] ??= tokenRoom(ROOM);
    const room = this.#rooms[this.taken];
    this.taken += 1;
    return tokenize(text, room);
  }
}

export const rooms: () => Rooms = lazily(() => new Rooms());

export function worthOf({ known, triggers, hidden }: WordCount): number {
  return known + 2 * triggers + hidden;
}

/** The text itself. It is normalised when someone looks, since hidden characters are sought in the raw text. */
export class Root implements Node {
  readonly name = '';
  readonly depth = 0;
  readonly score = 0;
  readonly novel = true;
  ran = 0;
  children: (readonly Node[] | undefined)[] | undefined = undefined;
  readonly source: Layer;
  /** What characters were given. */
  readonly characters: number;
  #words: number | undefined;
  #shown: Layer | undefined;
  #tokens: Tokens | undefined;
  #traits: number | undefined;

  constructor(text: string) {
    this.source = rawLayer(text);
    this.characters = charactersOf(text);
  }

  get shown(): Layer {
    this.#shown ??= normalize(this.source, this.characters);
    return this.#shown;
  }

  get traits(): number {
    this.#traits ??= traitsOf(this.characters, this.shown.text);
    return this.#traits;
  }

  get tokens(): Tokens {
    this.#tokens ??= rooms().tokenize(this.shown.text);
    return this.#tokens;
  }

  get runs(): number {
    return runsOf(this.characters, this.tokens);
  }

  get words(): number {
    this.#words ??= worthOf(countWords(this.tokens));
    return this.#words;
  }
}

/** What characters are in a text; `characters`: those of the text before it was normalised. */
function traitsOf(characters: number, shown: string): number {
  // White space has no part in it, so that only what NFKC changes need be looked at again.
  return (characters & UNSTABLE) === 0 ? characters : characters | charactersOf(shown);
}

/** What the runs of a text tell; `characters`: those of the text before it was normalised. */
function runsOf(characters: number, { traits }: Tokens): number {
  // What is not drawn may stand between a letter and a quotation mark, in the text as given.
  return (characters & UNSTABLE) === 0 ? traits : traits | LITERALS;
}

export function readingOf(source: Layer): Reading {
  const characters = charactersOf(source.text);
  const shown = normalize(source, characters);
  const tokens = rooms().tokenize(shown.text);
  const traits = traitsOf(characters, shown.text);
  return { source, shown, tokens, traits, runs: runsOf(characters, tokens) };
}
