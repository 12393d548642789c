import { characterTable, WORD } from '../character-classes.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { MARKED_WORD } from '../run-traits.js';

/** Tags that stand inside a line. */
const INLINE =
  /^<\/?(?:a|abbr|b|big|code|em|font|i|mark|s|small|span|strong|sub|sup|tt|u|wbr)\b[^<>]{0,200}>/iu;
const MARKS = ['**', '__', '~~', '``', '`', '*'] as const;

/** End of the markup that begins at a unit, or the unit itself. */
function markupEnd(text: string, at: number, comments: { closed: boolean }): number {
  const code = text.charCodeAt(at);
  if (code === 0x3c) {
    if (text.startsWith('<!--', at)) {
      if (!comments.closed) return at;
      const end = text.indexOf('-->', at + 4);
      if (end < 0) comments.closed = false;
      return end < 0 ? at : end + 3;
    }
    const tag = INLINE.exec(text.slice(at, at + 220));
    return tag === null ? at : at + tag[0].length;
  }
  for (const mark of MARKS) if (text.startsWith(mark, at)) return at + mark.length;
  return at;
}

/** Comments, inline tags and emphasis in the middle of a word are left out. */
export const markupDecoder: Decoder = {
  needs: 0,
  needsRuns: MARKED_WORD,
  decode({ shown, tokens }) {
    const { text } = shown;
    const { word } = characterTable();
    const comments = { closed: true };
    const edits: Edit[] = [];
    let done = 0;
    for (let i = 0; i < tokens.count; i += 1) {
      const start = tokens.end[i] ?? 0;
      const code = text.charCodeAt(start);
      const opens =
        code === 0x3c || code === 0x2a || code === 0x5f || code === 0x7e || code === 0x60;
      if (!opens || start < done) continue;
      let end = markupEnd(text, start, comments);
      let more = end > start ? markupEnd(text, end, comments) : end;
      while (more > end) {
        end = more;
        more = markupEnd(text, end, comments);
      }
      if (end > start && end < text.length && (word[text.charCodeAt(end)] ?? 0) === WORD) {
        edits.push({ start, end, text: '' });
      }
      done = Math.max(end, start + 1);
    }
    if (edits.length === 0) return undefined;
    return { name: 'spacing', layer: applyEdits(shown, edits), legible: true };
  },
};
