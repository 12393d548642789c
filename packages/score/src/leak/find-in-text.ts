import type { LeakStep } from './finding.js';
import { findInView, MIN_TRANSFORMED, MIN_WHOLE, type ProtectedValue } from './protected-value.js';
import { eachView } from './views.js';

/**
 * How a protected value stands in a text, transformed or not; undefined when it does not, or only a part of it. Values under 8
 * folded characters are never found, under 12 only as they are (but for case and width).
 */
export function findInText(value: ProtectedValue, text: string): readonly LeakStep[] | undefined {
  const { length } = value.folded;
  if (length < MIN_WHOLE || text.length === 0) return undefined;
  let found: readonly LeakStep[] | undefined;
  const visit = (view: Parameters<typeof findInView>[1]): boolean => {
    found = findInView(value, view);
    return found !== undefined;
  };
  if (length < MIN_TRANSFORMED) {
    visit({ text, how: [] });
    return found;
  }
  eachView(text, { bytes: MIN_WHOLE, deepest: 3 }, visit);
  return found;
}
