import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './json.js';

/** SHA-256 of a text's UTF-8 bytes, as lower-case hex. */
export function digestText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of a value's canonical JSON: equal values give equal digests on every machine. */
export function digest(value: unknown): string {
  return digestText(canonicalJson(value));
}
