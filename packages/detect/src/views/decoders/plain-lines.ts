import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { ESC, LESS_THAN, MARKED_LINES } from '../traits.js';

/** Tags, terminal colours, and what lines of quotes, comments, lists and differences begin with. */
const TAG = /<\/?([a-zA-Z][a-zA-Z0-9]{0,15})(?:\s[^<>]{0,300})?\/?>/gu;
const COLOUR = new RegExp(`${String.fromCodePoint(0x1b)}\\[[0-9;]{0,16}[A-Za-z]`, 'gu');
const PREFIX = /(?:^|\n)[ \t]{0,8}(>{1,4}|\/{2,3}|#{1,3}|\*{1,2}|-{1,2}|\+|;|\|)[ \t]/gu;
/** Tags within a line; words on both sides of any other are apart. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code dfn em font i ins kbd mark q s samp small span strong sub sup tt u var wbr'.split(
    ' ',
  ),
);
/** Lines with the same beginning that are a block. */
const LEAST_LINES = 2;
/** Length from which the prose is not decoded any further. */
const LONG = 1_024;
/** Units of a line of a block, at most. */
const LONGEST_LINE = 400;

function tagEdits(text: string): Edit[] {
  const edits: Edit[] = [];
  for (const match of text.matchAll(TAG)) {
    const inline = INLINE.has((match[1] ?? '').toLowerCase());
    const end = match.index + match[0].length;
    edits.push({ start: match.index, end, text: inline ? '' : ' ' });
  }
  return edits;
}

function colourEdits(text: string): Edit[] {
  return Array.from(text.matchAll(COLOUR), ({ index, 0: code }) => ({
    start: index,
    end: index + code.length,
    text: '',
  }));
}

/** Beginnings of lines that stand in a row and begin alike. */
function prefixEdits(text: string): Edit[] {
  const edits: Edit[] = [];
  let block: Edit[] = [];
  let sign = '';
  const close = (): void => {
    if (block.length >= LEAST_LINES) for (const edit of block) edits.push(edit);
    block = [];
  };
  for (const match of text.matchAll(PREFIX)) {
    const [whole, mark = ''] = match;
    const start = match.index + (whole.startsWith('\n') ? 1 : 0);
    const last = block.at(-1);
    const line =
      last === undefined ? '' : text.slice(last.end, Math.min(start, last.end + LONGEST_LINE + 2));
    if (mark !== sign || line.length > LONGEST_LINE || line.indexOf('\n') !== line.length - 1)
      close();
    sign = mark;
    block.push({ start, end: match.index + whole.length, text: '' });
  }
  close();
  return edits;
}

/** Prose without the tags, the colours and the marks before its lines. */
export const plainLinesDecoder: Decoder = {
  needs: LESS_THAN | ESC | MARKED_LINES,
  decode({ source }) {
    const { text } = source;
    const tags = text.includes('<') ? tagEdits(text) : [];
    const colours = text.includes('\u001b[') ? colourEdits(text) : [];
    const prefixes = text.includes('\n') ? prefixEdits(text) : [];
    const edits = [...tags, ...colours, ...prefixes];
    if (edits.length === 0) return undefined;
    edits.sort((a, b) => a.start - b.start);
    const layer = applyEdits(source, edits);
    // A mail or a page: what is encoded in it was decoded where it stands.
    return { name: 'markup', layer, legible: true, final: layer.text.length > LONG };
  },
};
