import { findInText } from './find-in-text.js';
import type { LeakFinding } from './finding.js';
import type { ProtectedValue } from './protected-value.js';
import { findSplit, type SequenceItem } from './split.js';

/** The first way in which a protected value left through texts of one route; in one text, else in pieces over several. */
export function findLeak(
  value: ProtectedValue,
  route: LeakFinding['route'],
  items: readonly SequenceItem[],
): LeakFinding | undefined {
  for (const { text, where } of items) {
    const how = findInText(value, text);
    if (how !== undefined) return { route, how, where };
  }
  if (route === 'text') return undefined;
  const split = findSplit(value, items);
  return split === undefined ? undefined : { route, ...split };
}
