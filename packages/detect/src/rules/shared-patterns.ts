import type { RE2JS } from 're2js';
import type { WordsOf } from './candidates.js';
import { wordsReader } from './known-words.js';
import { compilePattern, isAnchored } from './pattern.js';

export interface CompiledPattern {
  readonly pattern: RE2JS;
  /** It looks at where the text begins or ends. */
  readonly anchored: boolean;
}

/** What is worked out of patterns once for all scopes, when a text first needs it. */
export class SharedPatterns {
  readonly #compiled = new Map<string, CompiledPattern>();
  #words: WordsOf | undefined;

  readonly wordsOf: WordsOf = (pattern) => {
    this.#words ??= wordsReader();
    return this.#words(pattern);
  };

  get(source: string): CompiledPattern {
    const known = this.#compiled.get(source);
    if (known) return known;
    const compiled = { pattern: compilePattern(source), anchored: isAnchored(source) };
    this.#compiled.set(source, compiled);
    return compiled;
  }
}
