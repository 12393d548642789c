import { RE2JS, RE2Set } from 're2js';
import { coarsen, compilePattern, toRe2 } from './pattern.js';

/**
 * Tells in one linear pass which of many patterns can match a text. It may name one that does
 * not match after all, never miss one that does. Compiled on first use.
 */
export class PatternSet {
  readonly patterns: readonly string[];
  #set: RE2Set | undefined;
  readonly #exact: (RE2JS | undefined)[] = [];

  constructor(patterns: readonly string[]) {
    this.patterns = [...new Set(patterns)];
  }

  /** Indices of the patterns that can match. */
  candidates(text: string): readonly number[] {
    this.#set ??= this.#compile();
    return this.#set.match(text);
  }

  exact(index: number): RE2JS {
    const found = this.#exact[index];
    if (found) return found;
    const pattern = this.patterns[index];
    if (pattern === undefined) throw new RangeError(`there is no pattern ${index}`);
    const compiled = compilePattern(pattern);
    this.#exact[index] = compiled;
    return compiled;
  }

  #compile(): RE2Set {
    const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE);
    for (const pattern of this.patterns) {
      try {
        set.add(toRe2(coarsen(pattern)));
      } catch {
        // A repetition of a repetition can be beyond what opening the counters gives.
        set.add(toRe2(pattern));
      }
    }
    set.compile();
    return set;
  }
}
