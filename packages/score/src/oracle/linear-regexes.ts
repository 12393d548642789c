import { RE2JS } from 're2js';

/** Compiled patterns of one judging; passed along, so that nothing outlives the call. */
export interface LinearRegexes {
  /** Whether the pattern is found anywhere in the text. A pattern that RE2 cannot compile is found nowhere. */
  test(pattern: string, text: string): boolean;
}

export function createLinearRegexes(): LinearRegexes {
  const compiled = new Map<string, RE2JS | undefined>();
  const compile = (pattern: string): RE2JS | undefined => {
    if (compiled.has(pattern)) return compiled.get(pattern);
    let regex: RE2JS | undefined;
    try {
      regex = RE2JS.compile(pattern);
    } catch {
      // Checked when a corpus is loaded; here a verdict is owed, and what cannot be looked for is not there.
    }
    compiled.set(pattern, regex);
    return regex;
  };
  return { test: (pattern, text) => compile(pattern)?.test(text) ?? false };
}

/** Why RE2 cannot compile a pattern; undefined when it can. For loaders. */
export function linearRegexProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
