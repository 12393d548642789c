import { characterTable, lazily, WORD } from '../character-classes.js';
import { countWords } from '../legibility.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { type Tokens, tokenize } from '../tokens.js';
import { EMPHASIS, LESS_THAN, MARKUP } from '../traits.js';

/** Text between two marks of one chain. */
const MAX_GAP = 24;
/** Words of attacks that a chain must show once its marks are gone. */
const TRIGGERS = 2;
/** Letters marked one by one that are a sentence. */
const LETTERS = 6;
/** Units between two marks, on average, of words that are marked one by one. */
const DENSE = 10;

/** Tags, comments, emphasis, BBCode, LaTeX, empty links and template holes; each of bounded length. */
const MARK = new RegExp(
  [
    '<!--[^>]{0,200}-->',
    '</?[a-zA-Z][^<>]{0,200}>',
    '\\*{1,4}',
    '_{1,3}',
    '~~',
    '`{1,3}',
    '\\[/?(?:b|i|u|s|url|color|size|font|code|center)(?:=[^\\]\\n]{0,60})?\\]',
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
/** Whether a mark may begin with a character. */
const begins: () => Uint8Array = lazily(() => {
  const table = new Uint8Array(128);
  for (const mark of '<*_~`[\\/{$}') table[mark.charCodeAt(0)] = 1;
  return table;
});
const BLOCK = /^<\/?(?:br|p|div|li|ul|ol|td|tr|th|h[1-6]|hr|dd|dt|section|article)\b/iu;

interface Group {
  readonly start: number;
  end: number;
  /** The first mark closes and the last one opens, as between two elements. */
  closes: boolean;
  opens: boolean;
  block: boolean;
}

function groupsOf(text: string, tokens: Tokens): Group[] {
  const groups: Group[] = [];
  const table = begins();
  let token = 0;
  for (let at = 0; at < text.length; at += 1) {
    // No mark begins within a word.
    while (token < tokens.count && (tokens.end[token] ?? 0) <= at) token += 1;
    if (token < tokens.count && (tokens.start[token] ?? 0) <= at) {
      at = (tokens.end[token] ?? 0) - 1;
      continue;
    }
    const code = text.charCodeAt(at);
    if (code >= 128 || table[code] !== 1) continue;
    MARK.lastIndex = at;
    const mark = MARK.exec(text)?.[0] ?? '';
    if (mark === '') continue;
    const closes = mark.startsWith('</') || mark.startsWith('[/');
    const opens = !closes && /^[<[]/u.test(mark);
    const last = groups.at(-1);
    if (last !== undefined && last.end === at) {
      last.end += mark.length;
      at = last.end - 1;
      last.opens = opens;
      last.block ||= BLOCK.test(mark);
      continue;
    }
    const end = at + mark.length;
    groups.push({ start: at, end, closes, opens, block: BLOCK.test(mark) });
    at = end - 1;
  }
  return groups;
}

/** Edits that take the marks of a chain away; none when that shows nothing. */
function strip(text: string, chain: readonly Group[]): Edit[] {
  const { word } = characterTable();
  const isWord = (at: number): boolean => (word[text.charCodeAt(at)] ?? 0) === WORD;
  let letters = 0;
  let parts = 0;
  let several = 0;
  for (const [i, group] of chain.entries()) {
    const next = chain[i + 1]?.start ?? group.end;
    if (next > group.end) parts += 1;
    letters += next - group.end;
    if (text.slice(group.end, next).trim().includes(' ')) several += 1;
  }
  const single = parts >= LETTERS && letters < parts * 2;
  const edits: Edit[] = [];
  let touching = false;
  let spaced = '';
  let glued = '';
  let standing = '';
  let at = Math.max(0, (chain[0]?.start ?? 0) - MAX_GAP);
  for (const { start, end, closes, opens, block } of chain) {
    const before = start > 0 && isWord(start - 1);
    const after = end < text.length && isWord(end);
    touching ||= before || after;
    const apart = before && after && !single && (block || (closes && opens));
    edits.push({ start, end, text: apart ? ' ' : '' });
    const piece = text.slice(at, start);
    spaced += piece + (apart ? ' ' : '');
    glued += piece;
    standing += `${piece} `;
    at = end;
  }
  if (!touching) return [];
  if (single) return edits;
  const rest = text.slice(at, at + MAX_GAP);
  const whole = countWords(tokenize(glued + rest)).triggers;
  const parted = countWords(tokenize(spaced + rest)).triggers;
  const most = Math.max(whole, parted);
  // As it stands: every mark parts words.
  const before = countWords(tokenize(standing + rest)).triggers;
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
  decode({ shown, tokens }) {
    const { text } = shown;
    if (!/[<*_~`}[/$]/u.test(text)) return undefined;
    const edits: Edit[] = [];
    let chain: Group[] = [];
    const close = (): void => {
      if (chain.length > 1) for (const one of strip(text, chain)) edits.push(one);
      chain = [];
    };
    for (const group of groupsOf(text, tokens)) {
      if (group.start - (chain.at(-1)?.end ?? group.start) > MAX_GAP) close();
      chain.push(group);
    }
    close();
    if (edits.length === 0) return undefined;
    return { name: 'markup', layer: applyEdits(shown, edits), legible: true };
  },
};
