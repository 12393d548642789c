/** Texts up to this many UTF-16 code units are scanned as a whole. */
export const SEGMENT = 262_144;
/** What neighbouring segments share, so that nothing is cut apart: twice the longest match. */
export const SEGMENT_OVERLAP = 1_024;
/** At each end of a very long text this many segments are decoded; between them only the text itself is read. */
export const DECODED_SEGMENTS = 16;

export interface Segment {
  readonly start: number;
  readonly end: number;
  /** Whether decoded views are looked at, too. */
  readonly decoded: boolean;
}

/** Cuts a long text into overlapping segments, not inside of a surrogate pair. */
export function segmentsOf(text: string): readonly Segment[] {
  if (text.length <= SEGMENT) return [{ start: 0, end: text.length, decoded: true }];
  const segments: { start: number; end: number }[] = [];
  for (let start = 0; ; ) {
    const end = notInsidePair(text, Math.min(text.length, start + SEGMENT));
    segments.push({ start, end });
    if (end >= text.length) break;
    start = notInsidePair(text, end - SEGMENT_OVERLAP);
  }
  return segments.map((segment, i) => ({
    ...segment,
    decoded: i < DECODED_SEGMENTS || i >= segments.length - DECODED_SEGMENTS,
  }));
}

function notInsidePair(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** Words for people about how a long text was scanned; empty for one that was scanned as a whole. */
export function segmentNotes(segments: readonly Segment[]): readonly string[] {
  if (segments.length === 1) return [];
  const plain = segments.filter((segment) => !segment.decoded).length;
  const notes = [`scanned in ${segments.length} segments of at most ${SEGMENT} characters`];
  if (plain > 0) notes.push(`${plain} segments in the middle were scanned without decoded views`);
  return notes;
}
