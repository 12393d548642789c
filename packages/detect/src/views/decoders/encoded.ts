import { applyEdits, type Decoded, type Decoder, type Reading } from '../reading.js';
import { base64Pieces, type Piece } from './base64.js';

/** Finds all encoded pieces of one kind in a text; ascending, not overlapping, in one pass. */
export type PieceFinder = (text: string) => readonly Piece[];

/** Puts what the pieces say in their place, all at once, so that decoys add no readings. */
export function pieceDecoder(find: PieceFinder): Decoder {
  return {
    decode({ shown }: Reading): Decoded | undefined {
      const pieces = find(shown.text);
      if (pieces.length === 0) return undefined;
      return {
        name: 'decoded',
        layer: applyEdits(shown, pieces),
        legible: pieces.some((piece) => piece.legible),
      };
    },
  };
}

export const base64Decoder: Decoder = pieceDecoder(base64Pieces);
