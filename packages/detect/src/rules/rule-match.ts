import type { Mention } from '../mention.js';
import type { Span } from '../types.js';

/** A match in a view: where, and why it is a mention rather than a use, if it is. */
export interface RuleMatch extends Span {
  readonly mention: Mention | undefined;
}

export function rank(match: RuleMatch): number {
  return match.mention === undefined ? 0 : match.mention.strong ? 2 : 1;
}

/** Several that are needed together: a mention only where each one is. */
export function joint(matches: readonly RuleMatch[]): RuleMatch | undefined {
  const first = matches.toSorted((a, b) => a.start - b.start)[0];
  if (!first) return undefined;
  return {
    ...first,
    mention: matches.every((match) => match.mention !== undefined) ? first.mention : undefined,
  };
}
