import { characterTable, WORD } from '../character-classes.js';
import { countWordsOf } from '../legibility.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { EMPHASIS, LESS_THAN, MARKUP } from '../traits.js';

/** Text between two marks of one chain. */
const MAX_GAP = 24;
/** Words of attacks that a chain must show once its marks are gone. */
const TRIGGERS = 2;
/** Letters marked one by one that are a sentence. */
const LETTERS = 6;
/** Units between two marks, on average, of words that are marked one by one. */
const DENSE = 10;

/** Tags, emphasis, BBCode, LaTeX, empty links and template holes; each of bounded length. */
const MARK = new RegExp(
  [
    '</?[a-zA-Z][^<>]{0,200}>',
    '\\*{1,4}',
    '_{1,3}',
    '~~',
    '`{1,3}',
    '\\[/?(?:b|i|u|s|url|color|size|font|code|center)(?:=[^[\\]\\n]{0,60})?\\]',
    '\\[\\]\\([^()\\n]{0,80}\\)',
    '\\[//\\]: # \\([^()\\n]{0,80}\\)',
    '\\\\[a-z]{2,12}\\{',
    '/\\*[^*]{0,80}\\*/',
    '\\{#[^#]{0,80}#\\}',
    '\\$?\\{\\{?\\}?\\}',
    '\\$@',
    '\\}',
  ].join('|'),
  'uy',
);
const BLOCK = /^<\/?(?:br|p|div|li|ul|ol|td|tr|th|h[1-6]|hr|dd|dt|section|article)\b/iu;

interface Group {
  readonly start: number;
  end: number;
  /** The first mark closes and the last one opens, as between two elements. */
  closes: boolean;
  opens: boolean;
  block: boolean;
}

/** Longest comment that is looked at, without its marks. */
const MOST_COMMENT = 200;

/** Where marks end, in one pass over a text. */
class Marks {
  readonly #text: string;
  /** The next `>` from the last place that was asked about. */
  #greater = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the mark ends that begins at a place, or that place. */
  end(at: number): number {
    const text = this.#text;
    if (text.startsWith('<!--', at)) return this.#commentEnd(at);
    MARK.lastIndex = at;
    return MARK.test(text) ? MARK.lastIndex : at;
  }

  #commentEnd(at: number): number {
    const from = at + 4;
    if (this.#greater < from) {
      const next = this.#text.indexOf('>', from);
      this.#greater = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    const inner = this.#greater - 2 - from;
    const closed = inner >= 0 && inner <= MOST_COMMENT && this.#text.startsWith('--', from + inner);
    return closed ? this.#greater + 1 : at;
  }
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  const marks = new Marks(text);
  // No mark begins within a word.
  const begins = /[<*_~`[\\/{}$]/gu;
  while (begins.test(text)) {
    const at = begins.lastIndex - 1;
    const code = text.charCodeAt(at);
    const end = marks.end(at);
    if (end === at) continue;
    const tag = code === LESS_THAN_SIGN;
    const closes = (tag || code === BRACKET) && text.charCodeAt(at + 1) === SLASH;
    const opens = !closes && (tag || code === BRACKET);
    const block = tag && BLOCK.test(text.slice(at, Math.min(end, at + MOST_NAME)));
    const last = groups.at(-1);
    begins.lastIndex = end;
    if (last !== undefined && last.end === at) {
      last.end = end;
      last.opens = opens;
      last.block ||= block;
    } else groups.push({ start: at, end, closes, opens, block });
  }
  return groups;
}

const LESS_THAN_SIGN = 0x3c;
const BRACKET = 0x5b;
const SLASH = 0x2f;
/** Units of a tag that tell its name. */
const MOST_NAME = 16;

/** Whether white space stands within a piece of text, other than around it. */
function isSeveral(text: string, start: number, end: number): boolean {
  let from = start;
  let to = end;
  while (from < to && text.charCodeAt(from) === 0x20) from += 1;
  while (to > from && text.charCodeAt(to - 1) === 0x20) to -= 1;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 0x20) return true;
  return false;
}

/** Edits that take the marks of a chain away; none when that shows nothing. */
function strip(text: string, chain: readonly Group[]): Edit[] {
  const { word } = characterTable();
  const isWord = (at: number): boolean => (word[text.charCodeAt(at)] ?? 0) === WORD;
  let letters = 0;
  let parts = 0;
  let several = 0;
  for (let i = 0; i < chain.length; i += 1) {
    const from = chain[i]?.end ?? 0;
    const to = chain[i + 1]?.start ?? from;
    if (to > from) parts += 1;
    letters += to - from;
    if (isSeveral(text, from, to)) several += 1;
  }
  const single = parts >= LETTERS && letters < parts * 2;
  const edits: Edit[] = [];
  let touching = false;
  for (const { start, end, closes, opens, block } of chain) {
    const before = start > 0 && isWord(start - 1);
    const after = end < text.length && isWord(end);
    touching ||= before || after;
    const apart = before && after && !single && (block || (closes && opens));
    edits.push({ start, end, text: apart ? ' ' : '' });
  }
  if (!touching) return [];
  if (single) return edits;
  let spaced = '';
  let glued = '';
  let standing = '';
  let at = Math.max(0, (chain[0]?.start ?? 0) - MAX_GAP);
  for (const edit of edits) {
    const piece = text.slice(at, edit.start);
    spaced += piece + edit.text;
    glued += piece;
    standing += `${piece} `;
    at = edit.end;
  }
  const rest = text.slice(at, at + MAX_GAP);
  const whole = countWordsOf(glued + rest).triggers;
  const parted = countWordsOf(spaced + rest).triggers;
  const most = Math.max(whole, parted);
  // As it stands: every mark parts words.
  const before = countWordsOf(standing + rest).triggers;
  const dense = letters <= parts * DENSE && several * 5 <= parts && most > TRIGGERS;
  if (most < TRIGGERS || (most < before + 2 && !dense)) return [];
  return parted < whole ? edits.map(({ start, end }) => ({ start, end, text: '' })) : edits;
}

/**
 * Takes away marks that stand close together, as when each word or letter of a sentence is marked
 * by itself, and marks of any kind within words.
 */
export const denseMarkupDecoder: Decoder = {
  needs: LESS_THAN | EMPHASIS | MARKUP,
  needsRuns: 0,
  decode({ shown }) {
    const { text } = shown;
    const edits: Edit[] = [];
    let chain: Group[] = [];
    const close = (): void => {
      if (chain.length > 1) for (const one of strip(text, chain)) edits.push(one);
      chain = [];
    };
    for (const group of groupsOf(text)) {
      if (group.start - (chain.at(-1)?.end ?? group.start) > MAX_GAP) close();
      chain.push(group);
    }
    close();
    if (edits.length === 0) return undefined;
    return { name: 'markup', layer: applyEdits(shown, edits), legible: true };
  },
};
