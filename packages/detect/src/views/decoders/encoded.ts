import { applyEdits, type Decoder } from '../reading.js';
import { KNOT, LONG_STRANGER, MIXED_RUN, NUMERALS } from '../run-traits.js';
import type { Tokens } from '../tokens.js';
import { base32Pieces } from './base32.js';
import { base64Pieces, type Piece } from './base64.js';
import { base85Pieces } from './base85.js';
import { numberPieces } from './numbers.js';

/** Finds all encoded pieces of one kind in a text; ascending, not overlapping, in one pass. */
type PieceFinder = (text: string, tokens: Tokens) => readonly Piece[];

/** Puts what the pieces say in their place, all at once, so that decoys add no readings. */
function pieceDecoder(find: PieceFinder, needsRuns: number): Decoder {
  return {
    needs: 0,
    needsRuns,
    decode({ shown, tokens }) {
      const pieces = find(shown.text, tokens);
      if (pieces.length === 0) return undefined;
      const legible = pieces.some((piece) => piece.legible);
      return { name: 'decoded', layer: applyEdits(shown, pieces), legible };
    },
  };
}

/** Decoders of bytes written in printable characters. */
export const encodedDecoders: readonly Decoder[] = [
  pieceDecoder(base64Pieces, MIXED_RUN),
  pieceDecoder(numberPieces, NUMERALS),
  pieceDecoder(base32Pieces, LONG_STRANGER),
  pieceDecoder(base85Pieces, KNOT),
];
