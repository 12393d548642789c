import type { Span, View } from '../types.js';

/**
 * Raw text behind `[start, end)` of a view, in UTF-16 code units. The bounds are clamped to the
 * view; an empty range gives the empty span where it stands.
 */
export function rawSpan(view: View, start: number, end: number): Span {
  const size = view.text.length;
  const from = Math.min(Math.max(0, start), size);
  const to = Math.min(Math.max(from, end), size);
  if (view.plain === true) return { start: from, end: to };
  const { map } = view;
  if (view.thinned === true && to > from) {
    return { start: map[from] ?? 0, end: (map[to - 1] ?? 0) + 1 };
  }
  const { mapEnd } = view;
  if (to === from) {
    const at = from < size ? (map[from] ?? 0) : from > 0 ? (mapEnd[from - 1] ?? 0) : 0;
    return { start: at, end: at };
  }
  let low = map[from] ?? 0;
  let high = mapEnd[from] ?? 0;
  for (let i = from + 1; i < to; i += 1) {
    const begin = map[i] ?? low;
    const finish = mapEnd[i] ?? high;
    if (begin < low) low = begin;
    if (finish > high) high = finish;
  }
  return { start: low, end: high };
}
