import type { Span } from '../types.js';
import { CandidateFinder } from './candidates.js';
import type { CompiledPattern, SharedPatterns } from './shared-patterns.js';

/** Patterns that take a match away when they match beside it. */
export class Sparing {
  readonly #sources: readonly string[];
  readonly #patterns: SharedPatterns;
  readonly #finder: CandidateFinder;

  constructor(sources: readonly string[], patterns: SharedPatterns) {
    this.#sources = sources;
    this.#patterns = patterns;
    this.#finder = new CandidateFinder(sources, patterns.wordsOf);
  }

  /** Whether one of them matches within a stretch of the text in a way that counts. */
  matches(text: string, stretch: Span, counts: (match: Span) => boolean): boolean {
    const { start, end } = stretch;
    const places = this.#finder.find(text, { from: start, to: end });
    for (const index of places.patterns) {
      const pattern = this.#pattern(index);
      for (let place = places.first(index); place >= 0; place = places.next(place)) {
        const from = Math.max(places.start(place), start);
        if (matchesIn(pattern, text, { start: from, end: places.end(place) }, end, counts)) {
          return true;
        }
      }
    }
    for (const index of this.#finder.unknown) {
      if (matchesIn(this.#pattern(index), text, stretch, end, counts)) return true;
    }
    return false;
  }

  #pattern(index: number): CompiledPattern {
    return this.#patterns.get(this.#sources[index] ?? '');
  }
}

/** Looks at the matches that begin in a place and end by `limit`. */
function matchesIn(
  pattern: CompiledPattern,
  text: string,
  place: Span,
  limit: number,
  counts: (match: Span) => boolean,
): boolean {
  for (let from = place.start; from <= place.end; ) {
    const match = pattern.within(text, from, place.end, limit);
    if (match === undefined) return false;
    if (match === null) {
      // Too hard for the fast search: the same by re2js, in the little text that is left.
      for (const { start, end } of pattern.matches(text.slice(from, limit)))
        if (counts({ start: start + from, end: end + from })) return true;
      return false;
    }
    if (counts(match)) return true;
    from = Math.max(match.end, match.start + 1);
  }
  return false;
}
