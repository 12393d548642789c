import { lazily } from '../character-classes.js';
import { countWordsOf } from '../legibility.js';
import { SPELLING } from '../lexicon.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { SPELLED_OUT } from '../run-traits.js';
import { segment } from '../segment.js';
import type { Tokens } from '../tokens.js';
import { SPELLING_ALPHABET } from '../words.js';

const letters: () => ReadonlyMap<string, string> = lazily(() => {
  const map = new Map<string, string>();
  for (const entry of SPELLING_ALPHABET.split(/\s+/u)) {
    const [letter = '', words = ''] = entry.split(':');
    for (const word of words.split(',')) map.set(word, letter);
  }
  return map;
});

/** Words in a row that are no flight of fancy. */
const LEAST = 6;
/** Units between two letters of one row. */
const MAX_GAP = 12;

/** Runs among which as many words of the alphabet stand as a row has, whatever stands between them. */
const AMONG = 4 * LEAST;

function hasRow({ count, flags }: Tokens): boolean {
  const last = Array.from({ length: LEAST }, () => -AMONG);
  let next = 0;
  for (let i = 0; i < count; i += 1) {
    if (((flags[i] ?? 0) & SPELLING) === 0) continue;
    last[next] = i;
    next = (next + 1) % LEAST;
    if (i - (last[next] ?? -AMONG) < AMONG) return true;
  }
  return false;
}

/** Letters spelled out: "India Golf November …". */
export const spellingWordsDecoder: Decoder = {
  needs: 0,
  needsRuns: SPELLED_OUT,
  decode({ source, tokens }) {
    if (!hasRow(tokens)) return undefined;
    const { text } = source;
    const table = letters();
    const edits: Edit[] = [];
    let out = '';
    let positions: number[] = [];
    let start = 0;
    let end = 0;
    let count = 0;
    let usual = '';
    const close = (): void => {
      if (count >= LEAST) {
        const plain = spaced(out, positions);
        if (countWordsOf(plain.text).known > 0) edits.push({ start, end, ...plain });
      }
      out = '';
      positions = [];
      count = 0;
    };
    for (const match of text.matchAll(/[a-z]{1,8}(?:-ray)?/giu)) {
      const letter = table.get(match[0].toLowerCase());
      if (letter === undefined) {
        if (/^space$/iu.test(match[0])) continue;
        close();
        continue;
      }
      const gap = text.slice(end, match.index);
      if (count > 0 && gap.length > MAX_GAP) close();
      if (count === 0) start = match.index;
      else if (count === 1) usual = gap;
      if (count > 1 && gap !== usual) {
        out += ' ';
        positions.push(match.index);
      }
      out += letter;
      positions.push(match.index);
      count += 1;
      end = match.index + match[0].length;
    }
    close();
    if (edits.length === 0) return undefined;
    return { name: 'spelled', layer: applyEdits(source, edits), legible: true };
  },
};

/** Cut into words where no wider gap told them apart. */
function spaced(
  text: string,
  positions: readonly number[],
): { readonly text: string; readonly positions: readonly number[] } {
  if (text.includes(' ')) return { text, positions };
  let out = '';
  const places: number[] = [];
  const { cuts } = segment(text);
  for (const [k, from] of cuts.entries()) {
    const to = cuts[k + 1] ?? text.length;
    if (out !== '') {
      out += ' ';
      places.push(positions[from] ?? 0);
    }
    out += text.slice(from, to);
    for (let at = from; at < to; at += 1) places.push(positions[at] ?? 0);
  }
  return { text: out, positions: places };
}
