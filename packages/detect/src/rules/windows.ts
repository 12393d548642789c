import type { Span } from '../types.js';

/** A match begins in [start, own) and is looked for in [start, end). */
export interface Window {
  readonly start: number;
  readonly own: number;
  readonly end: number;
}

const OWN = 2_048;
/** No match of a rule is longer; gaps in patterns are bounded far below it. */
export const LONGEST_MATCH = 1_024;

/**
 * Cuts a text into overlapping windows, so that a match is looked for only near where the
 * prefilter saw it. Cuts are at spaces where there is one near, to keep word boundaries true.
 */
export function windowsOf(text: string): readonly Window[] {
  if (text.length <= OWN + LONGEST_MATCH)
    return [{ start: 0, own: text.length + 1, end: text.length }];
  const windows: Window[] = [];
  for (let start = 0; start < text.length; ) {
    const last = start + OWN + LONGEST_MATCH >= text.length;
    const own = last ? text.length + 1 : cutBefore(text, start + OWN);
    const end = last ? text.length : cutBefore(text, own + LONGEST_MATCH);
    windows.push({ start, own, end });
    start = own;
  }
  return windows;
}

function cutBefore(text: string, at: number): number {
  for (let i = at; i > at - 64; i--) if (text.charCodeAt(i) <= 32) return i;
  const low = text.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at - 1 : at;
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
