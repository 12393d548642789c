import type { Span } from '../types.js';
import { LONGEST_MATCH } from './candidates.js';

/** A match begins in [start, own) and is looked for in [start, end). */
export interface Window {
  readonly start: number;
  readonly own: number;
  readonly end: number;
}

const OWN = 2_048;
/** What a pattern may have before its first required word, and after its last. */
const BEFORE = 96;
const AFTER = LONGEST_MATCH;

/** Windows that cover a span with room around it, cut at spaces to keep word boundaries true. */
export function windowsOver(text: string, span: Span): readonly Window[] {
  const from = span.start <= BEFORE ? 0 : cutBefore(text, span.start - BEFORE);
  const to = Math.min(text.length, span.end + AFTER);
  const windows: Window[] = [];
  for (let start = from; start < to; ) {
    const last = start + OWN + LONGEST_MATCH >= to;
    const own = last ? to + 1 : cutBefore(text, start + OWN);
    const end = last ? to : cutBefore(text, own + LONGEST_MATCH);
    windows.push({ start, own, end: end >= text.length ? text.length : cutBefore(text, end) });
    start = own;
  }
  return windows;
}

function cutBefore(text: string, at: number): number {
  for (let i = at; i > at - 64; i--) if (text.charCodeAt(i) <= 32) return i;
  const low = text.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at - 1 : at;
}

/** Offsets at which a window was cut, where `^` and `$` would hold without being true; -1 for none. */
export interface Cuts {
  readonly start: number;
  readonly end: number;
}

export const NO_CUTS: Cuts = { start: -1, end: -1 };

export function cutsOf(window: Window, length: number): Cuts {
  return {
    start: window.start === 0 ? -1 : window.start,
    end: window.end === length ? -1 : window.end,
  };
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
