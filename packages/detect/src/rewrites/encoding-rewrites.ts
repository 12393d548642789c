import { ascii85, base32, base64, base64url, base85, byteList } from './byte-encodings.js';
import type { Rewrite } from './rewrite.js';

function perUnit(text: string, encode: (code: number, character: string) => string): string {
  return Array.from(text, (character) => encode(character.codePointAt(0) ?? 0, character)).join('');
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}

function percent(text: string): string {
  return `%${byteList(text, 16, 2, '%').toUpperCase()}`;
}

export const encodingRewrites: readonly Rewrite[] = [
  {
    name: 'base64',
    parameters: 'after a request to decode it',
    apply: (text) => `Decode this: ${base64(text)}`,
  },
  { name: 'base64-twice', parameters: 'base64 of base64', apply: (text) => base64(base64(text)) },
  {
    name: 'base64-wrapped',
    parameters: 'a line break after every 20 characters',
    apply: (text) => (base64(text).match(/.{1,20}/gu) ?? []).join('\n'),
  },
  {
    name: 'base64url',
    parameters: 'url-safe alphabet, no padding',
    apply: (text) => base64url(text),
  },
  { name: 'base32', parameters: 'RFC 4648', apply: (text) => base32(text) },
  {
    name: 'base85',
    parameters: 'RFC 1924 and Ascii85, by chance',
    apply: (text, random) => (random() < 0.5 ? base85(text) : ascii85(text)),
  },
  {
    name: 'hex',
    parameters: 'unbroken or with spaces, by chance',
    apply: (text, random) => byteList(text, 16, 2, random() < 0.5 ? '' : ' '),
  },
  {
    name: 'binary',
    parameters: 'eight bits and a space',
    apply: (text) => byteList(text, 2, 8, ' '),
  },
  {
    name: 'decimal',
    parameters: 'character codes with spaces',
    apply: (text) => byteList(text, 10, 1, ' '),
  },
  {
    name: 'octal',
    parameters: 'three digits and a space',
    apply: (text) => byteList(text, 8, 3, ' '),
  },
  { name: 'url', parameters: 'every byte', apply: percent },
  {
    name: 'url-twice',
    parameters: 'every byte, then every percent sign',
    apply: (text) => percent(text).replaceAll('%', '%25'),
  },
  {
    name: 'entities',
    parameters: 'decimal or hexadecimal character references, by chance',
    apply: (text, random) =>
      perUnit(text, (code) => (random() < 0.5 ? `&#${code};` : `&#x${hex(code, 1)};`)),
  },
  {
    name: 'x-escapes',
    parameters: '\\x and two digits',
    apply: (text) => `\\x${byteList(text, 16, 2, '\\x')}`,
  },
  {
    name: 'u-escapes',
    parameters: '\\u and four digits',
    apply: (text) => perUnit(text, (code) => `\\u${hex(code, 4)}`),
  },
  {
    name: 'braced-escapes',
    parameters: '\\u{} with as few digits as needed',
    apply: (text) => perUnit(text, (code) => `\\u{${hex(code, 1)}}`),
  },
  {
    name: 'quoted-printable',
    parameters: 'every byte, soft breaks after 24 bytes',
    apply: (text) =>
      (`=${byteList(text, 16, 2, '=').toUpperCase()}`.match(/.{1,72}/gu) ?? []).join('=\r\n'),
  },
  {
    name: 'data-body',
    parameters: 'data:text/plain;base64',
    apply: (text) => `![](data:text/plain;base64,${base64(text)})`,
  },
  {
    name: 'jwt-body',
    parameters: 'a claim of an unsigned token',
    apply: (text) =>
      `${base64url('{"alg":"none","typ":"JWT"}')}.${base64url(JSON.stringify({ sub: 'reader', note: text }))}.`,
  },
  {
    name: 'hex-blocks',
    parameters: 'eight bytes and a space',
    apply: (text) => (byteList(text, 16, 2, '').match(/.{1,16}/gu) ?? []).join(' '),
  },
  {
    name: 'base64-reversed',
    parameters: 'base64 back to front, no padding',
    apply: (text) => Array.from(base64(text).replaceAll('=', '')).toReversed().join(''),
  },
  {
    name: 'character-calls',
    parameters: "'chr(…)' for every byte, joined by '+'",
    apply: (text) => `chr(${byteList(text, 10, 1, ') + chr(')})`,
  },
];
