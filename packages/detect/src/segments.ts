/** Texts up to this many UTF-16 code units are scanned as a whole. */
export const SEGMENT = 262_144;
/** What neighbouring segments share, so that nothing is cut apart: twice the longest match. */
export const SEGMENT_OVERLAP = 1_024;

export interface Segment {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a long text into overlapping segments, not inside of a surrogate pair. Each is decoded with bounds of its own,
 * so that the work for a text grows with its length and a long text hides nothing.
 */
export function segmentsOf(text: string): readonly Segment[] {
  if (text.length <= SEGMENT) return [{ start: 0, end: text.length }];
  const segments: Segment[] = [];
  for (let start = 0; ; ) {
    const end = notInsidePair(text, Math.min(text.length, start + SEGMENT));
    segments.push({ start, end });
    if (end >= text.length) break;
    start = notInsidePair(text, end - SEGMENT_OVERLAP);
  }
  return segments;
}

function notInsidePair(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** Words for people about how a long text was scanned; empty for one that was scanned as a whole. */
export function segmentNotes(segments: readonly Segment[]): readonly string[] {
  if (segments.length === 1) return [];
  return [`scanned in ${segments.length} segments of at most ${SEGMENT} characters`];
}
