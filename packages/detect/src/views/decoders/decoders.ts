import type { Decoder } from '../reading.js';
import { brailleDecoder } from './braille.js';
import { byteRowsDecoder } from './byte-rows.js';
import { cipheredBase64Decoder } from './ciphered-base64.js';
import { codeStringsDecoder } from './code-strings.js';
import { concatenationDecoder } from './concatenation.js';
import { dashedPigLatinDecoder } from './dashed-pig-latin.js';
import { denseMarkupDecoder } from './dense-markup.js';
import { encodedDecoders } from './encoded.js';
import { gluedCiphersDecoder } from './glued-ciphers.js';
import { groupedSymbolsDecoder } from './grouped-symbols.js';
import { homoglyphDecoder } from './homoglyph.js';
import { leetspeakDecoder } from './leetspeak.js';
import { atbashDecoder, caesarDecoder, reversedDecoder } from './letter-ciphers.js';
import { markupDecoder } from './markup.js';
import { morseDecoder } from './morse.js';
import { plainLinesDecoder } from './plain-lines.js';
import { spacingDecoder } from './spacing.js';
import { spellingWordsDecoder } from './spelling-words.js';
import { tagsDecoder } from './tags.js';
import { turnedDecoder } from './turned.js';
import { typosDecoder } from './typos.js';
import { unescapeDecoder } from './unescape.js';
import { variationSelectorsDecoder } from './variation-selectors.js';
import { pigLatinDecoder, reversedWordsDecoder, rot47Decoder } from './word-games.js';
import { zeroWidthDecoder } from './zero-width.js';

/** Decoders of characters that are not drawn; they run even when decoding is turned off. */
export const hiddenChannels: readonly Decoder[] = [
  tagsDecoder,
  variationSelectorsDecoder,
  zeroWidthDecoder,
];

/** Decoders that change pieces where they stand and leave the rest of the text as it is. */
const local: readonly Decoder[] = [
  ...hiddenChannels,
  unescapeDecoder,
  ...encodedDecoders,
  byteRowsDecoder,
  cipheredBase64Decoder,
  groupedSymbolsDecoder,
  morseDecoder,
  brailleDecoder,
  spellingWordsDecoder,
  homoglyphDecoder,
  codeStringsDecoder,
  concatenationDecoder,
  markupDecoder,
  denseMarkupDecoder,
  plainLinesDecoder,
  leetspeakDecoder,
  spacingDecoder,
  caesarDecoder,
  atbashDecoder,
  gluedCiphersDecoder,
  pigLatinDecoder,
  dashedPigLatinDecoder,
  rot47Decoder,
  typosDecoder,
];

/** All decoders, in the order in which they are tried on a reading. */
export const decoders: readonly Decoder[] = [
  ...local,
  reversedDecoder,
  turnedDecoder,
  reversedWordsDecoder,
];

/** Indexes of the decoders that act in place. */
export const inPlace: readonly number[] = local.map((_, i) => i);
