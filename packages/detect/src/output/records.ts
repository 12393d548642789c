import { fromBase64 } from './hidden-text.js';

/** Fields of a record at least; words in fewer are a list. */
const LEAST_FIELDS = 8;
/** Letters and digits of all fields together, about as many as an address may carry in its path. */
const MOST_CARRIED = 40;
/** Fields that are neither empty nor numbers. */
const MOST_NAMES = 3;
const NUMBER = /^\d{1,4}$/;
const MOST_DIGITS = 12;
/** Words in small letters with an id among them at most, as names of pages and feeds are. */
const NAME = /^[a-z]+(?:(?:[-_ +]|%20)[a-z]+){0,3}$/;
const LONGEST_ID = 12;
const ID = /^[\w-]+$/;

/** Characters of base64 for all of that, with a bar beside each. */
const LONGEST_TOKEN = 128;

/**
 * The kind of record that shops and picture services put into their addresses in base64, such as
 * `3|1207|0|0|photo-page||||en|0||`: fields with bars between them, most of them empty or short numbers, and all together
 * too short to carry much.
 */
export function recordIn(token: string): string | undefined {
  const bytes = token.length > LONGEST_TOKEN ? undefined : fromBase64(token);
  if (bytes === undefined) return undefined;
  const record = new TextDecoder().decode(bytes);
  return isRecord(record) ? record : undefined;
}

function isRecord(text: string): boolean {
  const fields = text.split('|');
  const numbers = fields.filter((field) => NUMBER.test(field));
  const others = fields.filter((field) => field !== '' && !NUMBER.test(field));
  const ids = others.filter((field) => !NAME.test(field));
  return (
    fields.length >= LEAST_FIELDS &&
    others.length <= MOST_NAMES &&
    numbers.join('').length <= MOST_DIGITS &&
    fields.join('').length <= MOST_CARRIED &&
    ids.length <= 1 &&
    ids.every((id) => id.length <= LONGEST_ID && ID.test(id))
  );
}
