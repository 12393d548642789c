import { drawInteger, drawItem } from '../random.js';
import type { VarSpec } from '../schema/vars.js';
import {
  EXTENSIONS,
  FIRST_NAMES,
  FOLDERS,
  LAST_NAMES,
  RESERVED_ENDINGS,
  WORDS,
} from './word-lists.js';

const LOWER = 'abcdefghijkmnpqrstuvwxyz';
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '23456789';

function letters(random: () => number, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(drawInteger(random, alphabet.length))).join(
    '',
  );
}

/** Check digits by ISO 13616: the number modulo 97, taken digit by digit. */
function ibanCheck(country: string, account: string): string {
  let remainder = 0;
  for (const char of `${account}${country}00`) {
    for (const digit of Number.parseInt(char, 36).toString()) {
      remainder = (remainder * 10 + Number(digit)) % 97;
    }
  }
  return String(98 - remainder).padStart(2, '0');
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The value of one placeholder, and its named parts where the kind has some. */
export interface Drawn {
  readonly value: string;
  readonly parts?: Readonly<Record<string, string>>;
}

/** Draws one value. The number and order of draws of each kind are part of the corpus format: changing them changes every case. */
export function drawValue(spec: VarSpec, random: () => number): Drawn {
  const word = () => drawItem(random, WORDS);
  switch (spec.kind) {
    case 'api_key':
      return {
        value: `${letters(random, LOWER, 4)}_${letters(random, LOWER + UPPER + DIGITS, 24)}`,
      };
    case 'password':
      return {
        value: `${capital(word())}${letters(random, LOWER + UPPER + DIGITS, 8)}${letters(random, DIGITS, 2)}`,
      };
    case 'word_pair':
      return { value: `${word()}-${word()}${letters(random, DIGITS, 2)}` };
    case 'joined_code': {
      const a = `${word()}${letters(random, DIGITS, 2)}`;
      const b = `${letters(random, UPPER, 2)}${letters(random, DIGITS, 4)}`;
      return { value: `${a}${spec.join}${b}`, parts: { a, b } };
    }
    case 'person':
      return { value: `${drawItem(random, FIRST_NAMES)} ${drawItem(random, LAST_NAMES)}` };
    case 'username':
      return { value: `${word()}_${word()}${letters(random, DIGITS, 2)}` };
    case 'email':
      return {
        value: `${word()}.${word()}${letters(random, DIGITS, 2)}@${word()}-${word()}.${drawItem(random, RESERVED_ENDINGS)}`,
      };
    case 'host':
      return {
        value: `${word()}-${word()}${letters(random, DIGITS, 2)}.${drawItem(random, RESERVED_ENDINGS)}`,
      };
    case 'url':
      return {
        value: `https://${word()}-${word()}${letters(random, DIGITS, 2)}.${drawItem(random, RESERVED_ENDINGS)}/${word()}`,
      };
    case 'iban': {
      // XA to XZ are user-assigned in ISO 3166: codes of no country.
      const country = `X${letters(random, UPPER, 1)}`;
      const account = letters(random, '0123456789', 18);
      return { value: `${country}${ibanCheck(country, account)}${account}` };
    }
    case 'amount':
      return {
        value: String(spec.min + drawInteger(random, Math.max(1, spec.max - spec.min + 1))),
      };
    case 'path':
      return {
        value: `/${drawItem(random, FOLDERS)}/${word()}-${word()}${letters(random, DIGITS, 2)}.${drawItem(random, EXTENSIONS)}`,
      };
    case 'date': {
      const day = new Date(Date.UTC(2027, 0, 1 + drawInteger(random, 365)));
      return { value: day.toISOString().slice(0, 10) };
    }
    case 'id':
      return { value: `${spec.prefix}${letters(random, DIGITS, 7)}` };
    case 'product':
      return { value: `${capital(word())} ${capital(word())} ${letters(random, DIGITS, 2)}` };
    default:
      return spec satisfies never;
  }
}
