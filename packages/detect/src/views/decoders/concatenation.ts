import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { JOINED_LITERALS } from '../run-traits.js';

/** White space and operators between two quoted pieces. */
const MAX_JOINT = 12;
const OPERATOR = /^[\s)(]*(?:\+|\.\.?|&|\|\||~|<>|\|)[\s)(]*$/u;

/** An operator between quotation marks; most texts have none, and are not walked through. */
const JOINED =
  /['"`\u201c\u201d\u2018\u2019][\s)(]{0,11}[+.&|~<][>.|]?[\s)(]{0,11}['"`\u201c\u201d\u2018\u2019]/u;

function isQuote(code: number): boolean {
  if (code < 0x80) return code === 0x22 || code === 0x27 || code === 0x60;
  return code === 0x201c || code === 0x201d || code === 0x2018 || code === 0x2019;
}

/** End of the joint that begins with the quote at `at`, or -1. */
function jointEnd(text: string, at: number): number {
  for (let end = at + 1; end <= at + MAX_JOINT && end < text.length; end += 1) {
    if (!isQuote(text.charCodeAt(end))) continue;
    return OPERATOR.test(text.slice(at + 1, end)) ? end + 1 : -1;
  }
  return -1;
}

/** Pieces of text that code puts together: `'ign' + 'ore'`. */
export const concatenationDecoder: Decoder = {
  needs: 0,
  needsRuns: JOINED_LITERALS,
  decode({ shown }) {
    const { text } = shown;
    if (!JOINED.test(text)) return undefined;
    const edits: Edit[] = [];
    let at = 0;
    while (at < text.length) {
      const end = isQuote(text.charCodeAt(at)) ? jointEnd(text, at) : -1;
      if (end < 0) {
        at += 1;
        continue;
      }
      edits.push({ start: at, end, text: '' });
      at = end;
    }
    if (edits.length === 0) return undefined;
    return { name: 'concatenation', layer: applyEdits(shown, edits), legible: true };
  },
};
