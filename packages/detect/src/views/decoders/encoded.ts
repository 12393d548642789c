import { applyEdits, type Decoder } from '../reading.js';
import { MIXED, type Tokens } from '../tokens.js';
import { base32Pieces, LEAST_BASE32 } from './base32.js';
import { base64Pieces, type Piece } from './base64.js';
import { base85Pieces, LEAST_BASE85 } from './base85.js';
import { LEAST_NUMERALS, numberPieces } from './numbers.js';

/** Finds all encoded pieces of one kind in a text; ascending, not overlapping, in one pass. */
type PieceFinder = (text: string, tokens: Tokens) => readonly Piece[];

/**
 * Puts what the pieces say in their place, all at once, so that decoys add no readings. `may` tells from the tokens
 * whether there can be a piece at all: most texts have no stretch that looks like bytes.
 */
function pieceDecoder(find: PieceFinder, may: (tokens: Tokens) => boolean): Decoder {
  return {
    decode({ shown, tokens }) {
      if (!may(tokens)) return undefined;
      const pieces = find(shown.text, tokens);
      if (pieces.length === 0) return undefined;
      const legible = pieces.some((piece) => piece.legible);
      return { name: 'decoded', layer: applyEdits(shown, pieces), legible };
    },
  };
}

/** Decoders of bytes written in printable characters. */
export const encodedDecoders: readonly Decoder[] = [
  pieceDecoder(base64Pieces, ({ shapes }) => (shapes & MIXED) !== 0),
  pieceDecoder(numberPieces, ({ numerals }) => numerals >= LEAST_NUMERALS),
  pieceDecoder(base32Pieces, ({ longest }) => longest >= LEAST_BASE32),
  pieceDecoder(base85Pieces, ({ knot }) => knot >= LEAST_BASE85),
];
