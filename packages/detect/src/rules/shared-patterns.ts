import type { RE2JS } from 're2js';
import type { Span } from '../types.js';
import type { WordsOf } from './candidates.js';
import { FirstMatch } from './first-match.js';
import { wordsReader } from './known-words.js';
import { MoveTable } from './move-table.js';
import { compilePattern, isAnchored } from './pattern.js';

/** A pattern made ready. */
export class CompiledPattern {
  /** It looks at where the text begins or ends. */
  readonly anchored: boolean;
  readonly #pattern: RE2JS;
  /** It switches off that case is folded, in some place. */
  readonly #exact: boolean;
  readonly #table: MoveTable;
  #first: FirstMatch | null | undefined;

  constructor(source: string, table: MoveTable) {
    this.#table = table;
    this.#pattern = compilePattern(source);
    this.anchored = isAnchored(source);
    this.#exact = /\(\?[a-zA-Z]*-/u.test(source);
  }

  /** Whether it matches anywhere. */
  test(text: string): boolean {
    return this.#pattern.test(text);
  }

  /**
   * The leftmost match that begins in `[from, until]` and ends by `limit`; `undefined` when there is none, `null` when
   * the text is too hard for a search of this kind. `startsLine` tells where `^` holds.
   */
  within(
    text: string,
    from: number,
    until: number,
    limit: number,
    startsLine?: (at: number) => boolean,
  ): Span | undefined | null {
    const first = this.#firstMatch();
    if (first === null) return null;
    return first.find(text, from, until, limit, this.anchored ? startsLine : undefined);
  }

  /** Matches in order, none within another. */
  *matches(text: string): Generator<Span, void> {
    for (let from = 0; from <= text.length; ) {
      const span = this.#next(text, from);
      if (!span) return;
      yield span;
      from = Math.max(span.end, span.start + 1);
    }
  }

  #firstMatch(): FirstMatch | null {
    if (this.#first === undefined)
      this.#first = FirstMatch.of(this.#pattern, !this.#exact, this.#table) ?? null;
    return this.#first;
  }

  #next(text: string, from: number): Span | undefined {
    const first = this.#firstMatch();
    const found = first ? first.find(text, from) : null;
    if (found !== null) return found;
    const matcher = this.#pattern.matcher(text);
    return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
  }
}

/** What is worked out of patterns once for all scopes, when a text first needs it. */
export class SharedPatterns {
  readonly #compiled = new Map<string, CompiledPattern>();
  readonly #table = new MoveTable();
  #words: WordsOf | undefined;

  readonly wordsOf: WordsOf = (pattern) => {
    this.#words ??= wordsReader();
    return this.#words(pattern);
  };

  get(source: string): CompiledPattern {
    const known = this.#compiled.get(source);
    if (known) return known;
    const compiled = new CompiledPattern(source, this.#table);
    this.#compiled.set(source, compiled);
    return compiled;
  }
}
