import { lazily } from '../character-classes.js';
import { EVERYDAY, KNOWN } from '../lexicon.js';
import { applyEdits, type Decoder, type Edit, type Reading } from '../reading.js';
import { GLUED_SENTENCE } from '../run-traits.js';
import { segment } from '../segment.js';

/** Letters without spaces that may be a sentence. */
const LEAST = 14;
const MOST = 512;
/** Pieces that are looked at in one text. */
const PIECES = 8;
/** Share of the letters that known words must cover. */
const COVERED = 0.8;
/** Ciphers that are tried in full, the likeliest first. */
const TRIED = 3;

/** Shifts of the alphabet, none among them, and Atbash. */
const KINDS = 27;

/** How often letters are in English, a to z, in parts of a thousand; rounded by hand. */
const FREQUENCY = [
  82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20,
  1,
] as const;

interface Piece {
  readonly letters: string;
  readonly places: readonly number[];
}

interface Cipher {
  readonly name: string;
  /** Letter, 0 to 25, that a letter stands for. */
  readonly of: (letter: number) => number;
  readonly turned: boolean;
}

const ciphers: () => readonly Cipher[] = lazily(() => {
  const list: Cipher[] = [];
  for (const turned of [false, true]) {
    for (let by = 0; by < 26; by += 1) {
      const name = by === 0 ? 'spacing' : by === 13 ? 'rot13' : 'caesar';
      list.push({ name, of: (letter) => (letter + 26 - by) % 26, turned });
    }
    list.push({ name: 'atbash', of: (letter) => 25 - letter, turned });
  }
  return list;
});

/** How likely a letter is under each cipher that is not turned round, cipher by cipher. */
const likelihoods: () => Float64Array = lazily(() =>
  Float64Array.from({ length: KINDS * 26 }, (_, i) => {
    const cipher = ciphers()[Math.floor(i / 26)];
    return Math.log(FREQUENCY[cipher?.of(i % 26) ?? 0] ?? 1);
  }),
);

/** How often letters come up, and how likely ciphers are; used again for the next piece. */
const tally = lazily(() => ({ counts: new Int32Array(26), scores: new Float64Array(KINDS) }));

/** The likeliest ciphers by how often letters come up; turning round changes nothing in that. */
function likeliest(letters: string): Cipher[] {
  const { counts, scores } = tally();
  counts.fill(0);
  for (let i = 0; i < letters.length; i += 1) {
    const letter = letters.charCodeAt(i) - 0x61;
    counts[letter] = (counts[letter] ?? 0) + 1;
  }
  const table = likelihoods();
  for (let kind = 0; kind < KINDS; kind += 1) {
    let score = 0;
    for (let letter = 0; letter < 26; letter += 1) {
      const count = counts[letter] ?? 0;
      if (count > 0) score += count * (table[kind * 26 + letter] ?? 0);
    }
    scores[kind] = score;
  }
  const found: Cipher[] = [];
  for (let rank = 0; rank < TRIED; rank += 1) {
    let best = 0;
    for (let kind = 1; kind < KINDS; kind += 1)
      if ((scores[kind] ?? 0) > (scores[best] ?? 0)) best = kind;
    scores[best] = Number.NEGATIVE_INFINITY;
    const [forward, turned] = [ciphers()[best], ciphers()[best + KINDS]];
    if (forward && turned) found.push(forward, turned);
    // Letters as common as in plain text: it is not enciphered, though it may be turned round.
    if (rank === 0 && best === 0) break;
  }
  return found;
}

function decipher({ letters, places }: Piece, { of, turned }: Cipher): Piece {
  let out = '';
  const from: number[] = [];
  for (let k = 0; k < letters.length; k += 1) {
    const at = turned ? letters.length - 1 - k : k;
    out += String.fromCharCode(of(letters.charCodeAt(at) - 0x61) + 0x61);
    from.push(places[at] ?? 0);
  }
  return { letters: out, places: from };
}

/** The words of a piece with spaces between them, when one cipher makes words of nearly all of it. */
function read(piece: Piece): { readonly name: string; readonly edit: Edit } | undefined {
  const start = piece.places[0] ?? 0;
  const end = (piece.places.at(-1) ?? start) + 1;
  for (const cipher of likeliest(piece.letters)) {
    const plain = decipher(piece, cipher);
    const { cuts, coverage, triggers, words } = segment(
      plain.letters,
      0,
      plain.letters.length,
      COVERED,
    );
    if (coverage < COVERED || triggers < 2 || words < 3) continue;
    let text = '';
    const positions: number[] = [];
    for (const [k, from] of cuts.entries()) {
      const to = cuts[k + 1] ?? plain.letters.length;
      if (text !== '') {
        text += ' ';
        positions.push(plain.places[from] ?? start);
      }
      text += plain.letters.slice(from, to);
      for (let at = from; at < to; at += 1) positions.push(plain.places[at] ?? start);
    }
    const name = cipher.turned && cipher.name === 'spacing' ? 'reversed' : cipher.name;
    return { name, edit: { start, end, text, positions } };
  }
  return undefined;
}

/** Letters between two places, or more than {@link MOST} of them. */
function lettersIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end && count <= MOST; at += 1) {
    const small = text.charCodeAt(at) | 0x20;
    if (small >= 0x61 && small <= 0x7a) count += 1;
  }
  return count;
}

function pieceOf(text: string, start: number, end: number): Piece {
  let letters = '';
  const places: number[] = [];
  for (let at = start; at < end; at += 1) {
    const small = text.charCodeAt(at) | 0x20;
    if (small < 0x61 || small > 0x7a) continue;
    letters += String.fromCharCode(small);
    places.push(at);
  }
  return { letters, places };
}

/** Long unknown tokens, and rows of tokens of one length a space apart. */
function pieces({ shown: { text }, tokens }: Reading): Piece[] {
  const found: Piece[] = [];
  const size = (i: number): number => (tokens.end[i] ?? 0) - (tokens.start[i] ?? 0);
  const add = (from: number, to: number): void => {
    const [start, end] = [tokens.start[from] ?? 0, tokens.end[to] ?? 0];
    const letters = lettersIn(text, start, end);
    if (letters >= LEAST && letters <= MOST) found.push(pieceOf(text, start, end));
  };
  let i = 0;
  while (i < tokens.count && found.length < PIECES) {
    if (((tokens.flags[i] ?? 0) & (KNOWN | EVERYDAY)) !== 0) {
      i += 1;
      continue;
    }
    if (size(i) >= LEAST) {
      add(i, i);
      i += 1;
      continue;
    }
    let to = i;
    while (
      to + 1 < tokens.count &&
      (tokens.start[to + 1] ?? 0) - (tokens.end[to] ?? 0) === 1 &&
      size(to + 1) === size(i)
    ) {
      to += 1;
    }
    const count = to - i + 1;
    if (count >= 4 && size(i) >= 3 && size(i) <= 8) {
      const rest = to + 1 < tokens.count && size(to + 1) < size(i) ? 1 : 0;
      add(i, to + rest);
    }
    i = to + 1;
  }
  return found;
}

/** Letter ciphers on sentences without spaces, or cut into groups of one length. */
export const gluedCiphersDecoder: Decoder = {
  needs: 0,
  needsRuns: GLUED_SENTENCE,
  decode(reading) {
    const edits: Edit[] = [];
    let name = '';
    for (const piece of pieces(reading)) {
      const found = read(piece);
      if (found === undefined) continue;
      edits.push(found.edit);
      name ||= found.name;
    }
    if (edits.length === 0) return undefined;
    return { name, layer: applyEdits(reading.shown, edits), legible: true };
  },
};
