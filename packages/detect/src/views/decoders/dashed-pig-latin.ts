import { HASH_SEED, hashStep, KNOWN, lookUp, TRIGGER, wordTable } from '../lexicon.js';
import { applyEdits, type Decoder, type Edit } from '../reading.js';
import { DASHED_PIG_LATIN } from '../run-traits.js';
import type { Tokens } from '../tokens.js';

/** Longest ending: a cluster of consonants and "ay". */
const MOST = 7;
/** Words that must become known ones, and how many of them words of attacks. */
const KNOWN_WORDS = 3;

function isJoint(code: number): boolean {
  return code === 0x2d || code === 0x27 || code === 0x2019 || code === 0x2010;
}

function flagsOf(word: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < word.length; i += 1) hash = hashStep(hash, word.charCodeAt(i));
  return lookUp(wordTable(), hash);
}

/** The word that a stem and an ending make: "revious-pay", "ignore-way". */
function plainWord(
  stem: string,
  ending: string,
): { readonly text: string; readonly flags: number } {
  const cluster = ending.slice(0, -2);
  const moved = cluster + stem;
  const flags = flagsOf(moved);
  if ((flags & KNOWN) !== 0) return { text: moved, flags };
  const without = flagsOf(stem);
  if (/^[wyh]?$/u.test(cluster) && (without & KNOWN) !== 0) return { text: stem, flags: without };
  return { text: moved, flags: 0 };
}

function endsInAy(text: string, tokens: Tokens, i: number): boolean {
  const end = tokens.end[i] ?? 0;
  const size = end - (tokens.start[i] ?? 0);
  if (size < 2 || size > MOST) return false;
  return (text.charCodeAt(end - 1) | 0x20) === 0x79 && (text.charCodeAt(end - 2) | 0x20) === 0x61;
}

/** Pig latin with a dash or an apostrophe before the ending. */
export const dashedPigLatinDecoder: Decoder = {
  needs: 0,
  needsRuns: DASHED_PIG_LATIN,
  decode({ shown, tokens }) {
    const { text } = shown;
    const edits: Edit[] = [];
    let known = 0;
    let triggers = 0;
    for (let i = 1; i < tokens.count; i += 1) {
      const from = tokens.start[i] ?? 0;
      const start = tokens.start[i - 1] ?? 0;
      const stemEnd = tokens.end[i - 1] ?? 0;
      if (
        from - stemEnd !== 1 ||
        !endsInAy(text, tokens, i) ||
        !isJoint(text.charCodeAt(stemEnd))
      ) {
        continue;
      }
      if (stemEnd - start > 24) continue;
      const end = tokens.end[i] ?? 0;
      const word = plainWord(
        text.slice(start, stemEnd).toLowerCase(),
        text.slice(from, end).toLowerCase(),
      );
      if ((word.flags & KNOWN) !== 0) known += 1;
      if ((word.flags & TRIGGER) !== 0) triggers += 1;
      edits.push({ start, end, text: word.text, aligned: true });
    }
    if (known < KNOWN_WORDS || triggers === 0) return undefined;
    return { name: 'pig-latin', layer: applyEdits(shown, edits), legible: true };
  },
};
