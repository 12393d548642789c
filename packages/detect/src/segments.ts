/** Texts up to this many UTF-16 code units are scanned as a whole. */
export const SEGMENT = 262_144;
/** What neighbouring segments share, so that nothing is cut apart: twice the longest match. */
export const SEGMENT_OVERLAP = 1_024;

/** Digits in which the groups of hexadecimal, octets of bits, base64 and base32 all end. */
const GRID = 40;

export interface Segment {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a long text into overlapping segments, not inside of a surrogate pair nor of a group of encoded bytes. Each is decoded with bounds of its own,
 * so that the work for a text grows with its length and a long text hides nothing.
 */
export function segmentsOf(text: string): readonly Segment[] {
  if (text.length <= SEGMENT) return [{ start: 0, end: text.length }];
  const segments: Segment[] = [];
  for (let start = 0; ; ) {
    if (start + SEGMENT >= text.length) {
      segments.push({ start, end: text.length });
      break;
    }
    const end = cutBefore(text, start + SEGMENT, start);
    segments.push({ start, end });
    start = cutBefore(text, end - SEGMENT_OVERLAP, start);
  }
  return segments;
}

/** The last place up to `at` to cut at; `from` is an earlier one. */
function cutBefore(text: string, at: number, from: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return at - 1;
  let run = at;
  while (run > from && isDigitOfEncoding(text.charCodeAt(run - 1))) run -= 1;
  // A run that goes back to the cut before goes on upon its grid.
  return at - ((at - run) % GRID);
}

/** Letters, digits, and `+ / = - _`. */
function isDigitOfEncoding(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 47 && code <= 57) || code === 43 || code === 45 || code === 61;
}

/** Words for people about how a long text was scanned; empty for one that was scanned as a whole. */
export function segmentNotes(segments: readonly Segment[]): readonly string[] {
  if (segments.length === 1) return [];
  return [`scanned in ${segments.length} segments of at most ${SEGMENT} characters`];
}
