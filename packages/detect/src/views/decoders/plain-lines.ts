import { lazily } from '../character-classes.js';
import { hashWord, KNOWN, TRIGGER } from '../lexicon.js';
import { applyEdits, type Decoder, type Edit, type Reading } from '../reading.js';
import { type Tokens, tokenize } from '../tokens.js';
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

/** Words on either side of a place that was joined which make a phrase across it. */
const REACH = 8;
/** Units around such a place in which the text is made plain. */
const NEAR = 240;

/** Words with which a reader is told what to do, beside those that attacks turn on. */
const ADDRESS =
  'you your yourself me my now must never anything not who says whatever as like do other';
const address: () => ReadonlySet<number> = lazily(
  () => new Set(ADDRESS.split(' ').map((word) => hashWord(word))),
);

/** Whether a word of attacks, or one that tells a reader what to do, stands in a row of words. */
function addresses({ flags, hash }: Tokens, from: number, to: number): boolean {
  const words = address();
  for (let i = from; i < to; i += 1) {
    if (((flags[i] ?? 0) & PLAIN_TRIGGER) === PLAIN_TRIGGER || words.has(hash[i] ?? 0)) return true;
  }
  return false;
}

const PLAIN_TRIGGER = KNOWN | TRIGGER;

/** Whether such words stand on both sides of a place before a token. */
function isTelling(tokens: Tokens, at: number): boolean {
  const { count } = tokens;
  return (
    addresses(tokens, Math.max(0, at - REACH), at) &&
    addresses(tokens, at, Math.min(count, at + REACH))
  );
}

/** Whether words of attacks stand on both sides of something that may begin a line, in a normalised text. */
function mayTell(tokens: Tokens): boolean {
  const { count, start, end } = tokens;
  for (let i = 1; i < count; i += 1) {
    const to = start[i] ?? 0;
    const from = end[i - 1] ?? 0;
    // A mark and the white space around it.
    if (to - from < 3) continue;
    if (isTelling(tokens, i)) return true;
  }
  return false;
}

/** The text with all edits made, as tokens, and where it goes on behind each edit. */
function edited(
  text: string,
  edits: readonly Edit[],
): { readonly tokens: Tokens; readonly places: readonly number[] } {
  const parts: string[] = [];
  const places: number[] = [];
  let size = 0;
  let at = 0;
  for (const edit of edits) {
    const part = text.slice(at, edit.start) + edit.text;
    parts.push(part);
    size += part.length;
    places.push(size);
    at = edit.end;
  }
  return { tokens: tokenize(parts.join('') + text.slice(at)), places };
}

/**
 * The edits that may show a phrase of an attack, and those near them: on both sides of one such stand words of
 * attacks. In a long mail most show nothing but lines of prose put together. `next` gives the first token behind an
 * edit, for one edit after another.
 */
function tellingEdits(
  edits: readonly Edit[],
  tokens: Tokens,
  next: (edit: Edit, i: number) => number,
): Edit[] {
  const telling: Edit[] = [];
  let waiting = 0;
  let reach = -1;
  for (let i = 0; i < edits.length; i += 1) {
    const edit = edits[i];
    if (edit === undefined) break;
    if (isTelling(tokens, next(edit, i))) {
      for (; waiting < i; waiting += 1) {
        const passed = edits[waiting];
        if (passed !== undefined && passed.end >= edit.start - NEAR) telling.push(passed);
      }
      reach = edit.end + NEAR;
    }
    if (edit.start > reach) continue;
    telling.push(edit);
    waiting = i + 1;
  }
  return telling;
}

/** Tells the token behind a place, for places that ascend; `placeOf` gives where each token begins. */
function tokenBehind(count: number, placeOf: (token: number) => number): (place: number) => number {
  let token = 0;
  return (place) => {
    while (token < count && placeOf(token) < place) token += 1;
    return token;
  };
}

/** The telling ones of edits; `apart`: no word is put together by them, so that the words are those of the text. */
function tellingOf(reading: Reading, edits: readonly Edit[], apart: boolean): Edit[] {
  const { source, shown, tokens } = reading;
  if (apart && (shown.plain === true || shown.thinned === true)) {
    const { map } = shown;
    const behind = tokenBehind(tokens.count, (token) => map[tokens.start[token] ?? 0] ?? 0);
    return tellingEdits(edits, tokens, ({ end }) => behind(end));
  }
  const { tokens: others, places } = edited(source.text, edits);
  const behind = tokenBehind(others.count, (token) => others.start[token] ?? 0);
  return tellingEdits(edits, others, (_, i) => behind(places[i] ?? 0));
}

/** Prose without the tags, the colours and the marks before its lines. */
export const plainLinesDecoder: Decoder = {
  needs: LESS_THAN | ESC | MARKED_LINES,
  needsRuns: 0,
  decode(reading) {
    const { source, tokens } = reading;
    const { text } = source;
    const tags = text.includes('<') ? tagEdits(text) : [];
    const colours = text.includes('\u001b[') ? colourEdits(text) : [];
    const prefixes = text.includes('\n') ? prefixEdits(text) : [];
    const edits = [...tags, ...colours, ...prefixes];
    if (edits.length === 0) return undefined;
    edits.sort((a, b) => a.start - b.start);
    let kept = edits;
    if (text.length > LONG) {
      // The words are those of the whole text, unless tags or colours are taken away among them.
      const apart = tags.length + colours.length === 0;
      if (apart && !mayTell(tokens)) return undefined;
      kept = tellingOf(reading, edits, apart);
      if (kept.length === 0) return undefined;
    }
    const layer = applyEdits(source, kept);
    // A mail or a page: what is encoded in it was decoded where it stands.
    return { name: 'markup', layer, legible: true, final: text.length > LONG };
  },
};
