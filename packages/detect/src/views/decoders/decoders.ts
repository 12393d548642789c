import type { Decoder } from '../reading.js';
import { base64Decoder } from './encoded.js';

/** Decoders of characters that are not drawn; they run even when decoding is turned off. */
export const hiddenChannels: readonly Decoder[] = [];

/** All decoders, in the order in which they are tried on a reading. */
export const decoders: readonly Decoder[] = [...hiddenChannels, base64Decoder];
