import { applyEdits, type Decoder } from '../reading.js';
import { base32Pieces, LEAST_BASE32 } from './base32.js';
import { base64Pieces, type Piece } from './base64.js';
import { base85Pieces } from './base85.js';
import { numberPieces } from './numbers.js';

/** Finds all encoded pieces of one kind in a text; ascending, not overlapping, in one pass. */
type PieceFinder = (text: string) => readonly Piece[];

/**
 * Puts what the pieces say in their place, all at once, so that decoys add no readings. `least`: letters and
 * digits in a row without which there is no piece.
 */
function pieceDecoder(find: PieceFinder, least = 0): Decoder {
  return {
    decode({ shown, tokens }) {
      if (tokens.longest < least) return undefined;
      const pieces = find(shown.text);
      if (pieces.length === 0) return undefined;
      const legible = pieces.some((piece) => piece.legible);
      return { name: 'decoded', layer: applyEdits(shown, pieces), legible };
    },
  };
}

/** Decoders of bytes written in printable characters. */
export const encodedDecoders: readonly Decoder[] = [
  pieceDecoder(base64Pieces),
  pieceDecoder(numberPieces),
  pieceDecoder(base32Pieces, LEAST_BASE32),
  pieceDecoder(base85Pieces),
];
