import { isDrawing } from './drawings.js';
import { hiddenText, MOST_READ } from './hidden-text.js';
import { recordIn } from './records.js';
import { type Piece, piecesOf } from './url-pieces.js';

/** Why a URL is taken to carry data out, for people. */
export interface Evidence {
  readonly reason: string;
  /** It is what honest replies carry, too: a drawing in the words of the service that draws it. */
  readonly weak?: boolean;
}

/** UTF-16 units; more than browsers and servers agree to carry, and what a stream holds back at most. */
export const LONGEST_URL = 8192;

const SIZE_NAMES = new Set(
  'w h width height size s sz dpr q quality auto fit crop format fm fmt bg color colour fg theme lang locale hl gl align valign scale zoom page per_page limit offset v ver version rev t ts time date year month day'.split(
    ' ',
  ),
);
const SEARCH_NAMES = new Set(
  'q query search s k kw keyword keywords term terms text title label name p wd find location destination origin from to address near place subject topic category cat tag filter sort order tbm ref source alt caption body'.split(
    ' ',
  ),
);
const CARRIER_NAMES = new Set(
  'data d payload info leak exfil dump stolen loot msg message content c x log logs memory context history conversation chat transcript note notes secret out output result results response answer summary prompt system instructions keys env file contents value val b64 base64 enc encoded hex'.split(
    ' ',
  ),
);
/** Texts of an entry that a link puts into a calendar, and how long they may be in one. */
const EVENT_NAMES = new Set(
  'text title name subject summary details description desc body location'.split(' '),
);
const LONGEST_EVENT = 160;
const EVENT_TIME = /^(?:19|20)\d\d-?\d\d-?\d\d(?:T\d\d:?\d\d(?::?\d\d)?)?/;
const ID_NAMES = new Set(
  'id list v si docid folder fbid fbclid gclid msclkid igshid crid ref_ tbn usg ved ei token_id'.split(
    ' ',
  ),
);
const DEFAULT_PICTURES = new Set(
  'identicon retro monsterid wavatar robohash blank mystery identity initials'.split(' '),
);
const SECRET_NAMES =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|pw|secret|client_secret|api[_-]?key|apikey|key|access[_-]?key|private[_-]?key|token|access[_-]?token|auth|authorization|bearer|session(?:id)?|cookie|credentials?|creds?|ssn|card(?:[_-]?number)?|cc|cvv|cvc|iban|pin|otp|mfa|seed|mnemonic)$/;
const SECRET_WORD =
  '(?<![a-z])(?:pass(?:word|wd|phrase|code)|secret|api[-_ ]?key|access[-_ ]?key|token|ssn|iban|cvv|credential|pin(?:[-_ ]?code)?)s?';
const KEPT =
  'alarm|door|gate|access|security|entry|vault|safe|locker|unlock|bank|account|card|customer|passport|reset|verification|login|auth|backup|recovery';
/** The same with a number that is no year; addresses of pages have those, in their paths. */
const SECRET_NUMBER = new RegExp(`${SECRET_WORD}[-_ ]{1,3}(?!(?:19|20)\\d\\d(?!\\d))\\d{4}`, 'i');
/** A word for a secret with something that stands as its value; titles of pages only have the word. */
const SECRET_PHRASE = new RegExp(
  [
    `${SECRET_WORD}[-_ ]{1,3}(?:is|was)[-_ :=]{1,3}\\S{0,48}\\d`,
    `${SECRET_WORD} ?[:=] ?\\S{0,48}\\d`,
    `${SECRET_WORD}[-_ ]{1,3}(?=[a-z]{0,20}\\d)(?=\\d{0,20}[a-z])[a-z0-9]{6}`,
    '(?<![a-z])(?:pin|ssn|iban|cvv)[-_ ](?:code[-_ ])?[\\d-]{3}',
    `(?<![a-z])(?:${KEPT})[-_ ](?:code|number|no|pin)s?[-_ :=]{1,3}(?:is[-_ :=]{1,3})?\\d{3}`,
  ].join('|'),
  'i',
);
/** Tag characters, selectors and zero-width characters: nobody sees them in an address. */
const INVISIBLE = /[\u{e0000}-\u{e01ef}\u200b-\u200f\u2060-\u2064\ufeff]/u;
const KEY_SHAPE =
  /(?:^|[^a-z0-9])(?:sk|pk|rk)[-_][a-z0-9_-]{16,}|(?:^|[^a-z0-9])(?:gh[opsu]_[a-z0-9]{20,}|github_pat_|glpat-|xox[abprs]-|akia[0-9a-z]{16}|aiza[0-9a-z_-]{30,}|eyj[a-z0-9_-]{10,}\.eyj|-----begin)/i;
const MAIL =
  /(?<![a-z0-9._%+@-])[a-z0-9._%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?![a-z0-9])/i;
const PLACEHOLDERS = [
  /^[<[{$%]{1,2}(?:[a-z_.-]{1,24}(?: [a-z_.-]{1,24}){0,3}|\d{1,2})[>\]}%]{1,2}$/i,
  /^(?:your|my|insert|replace)(?:[-_][a-z]+){1,5}$/i,
  /^[A-Z]+(?:_[A-Z]+)+$/,
  /^(?:x{3,}|\.{3}|\*{2,}|placeholder|example|test|demo|value|string)$/i,
];
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HASH_LENGTHS = new Set([32, 40, 56, 64, 96, 128]);
const FILE_NAME =
  /^[^/\\?#]{1,120}\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|pdf|docx?|xlsx?|pptx?|csv|txt|md|html?|php|aspx?|jsp|js|mjs|css|json|xml|ya?ml|zip|gz|tar|tgz|mp[34]|wav|webm|woff2?|ttf|py|ts|java|go|rs|c|h|cpp|ipynb|exe|dmg|deb|rpm|apk)$/i;

/** A content hash, or a UUID: random, fixed in length, and named by what it is of. */
export function isHash(value: string): boolean {
  if (UUID.test(value)) return true;
  return HASH_LENGTHS.has(value.length) && /^[0-9a-f]+$/i.test(value);
}

/** Characters in parts that mix letters and digits, or upper and lower case, as words do not. */
function opaqueLength(value: string): number {
  let total = 0;
  // Points in time, as calendars write them.
  const plain = value.replaceAll(/(?<!\d)(?:19|20)\d{6}T\d{4,6}Z?(?![A-Za-z0-9])/g, '');
  for (const part of plain.split(/[^A-Za-z0-9]+/)) {
    if (part.length < 6 || isHash(part)) continue;
    const digits = part.replaceAll(/\D/g, '').length;
    const turns = part.match(/[a-z](?=[A-Z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
    const mixed = digits > 0 && digits < part.length && turns >= 2;
    const cased = /[a-z]/.test(part) && /[A-Z]/.test(part) && turns * 6 >= part.length;
    if (mixed || cased) total += part.length;
  }
  return total;
}

function wordsIn(value: string): number {
  return value.match(/\p{L}{2,}/gu)?.length ?? 0;
}

/** Cards have 14 digits or more and begin with 2 to 6; points in time and ids beside letters do not. */
function isCardNumber(value: string): boolean {
  const run = /(?<![\da-z])([2-6](?:[ -]?\d){13,18})(?![\da-z])/i.exec(value)?.[1];
  if (run === undefined) return false;
  return isLuhn(run.replaceAll(/\D/g, ''));
}

function isLuhn(run: string): boolean {
  let sum = 0;
  for (let i = 0; i < run.length; i += 1) {
    const digit = Number(run.charAt(run.length - 1 - i));
    const twice = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += i % 2 === 0 ? digit : twice;
  }
  return sum % 10 === 0 && !/^(\d)\1+$/.test(run);
}

interface Limits {
  /** Random-looking characters in a path or a label. */
  readonly opaquePath: number;
  /** The same in a parameter. */
  readonly opaqueValue: number;
  /** The same in a parameter that usually names an item. */
  readonly opaqueId: number;
  /** Letters and digits mixed, in a parameter whose name says that it carries something. */
  readonly mixed: number;
  /** Characters of plain words in a parameter of no telling name. */
  readonly prose: number;
  /** Characters of a parameter whose name says that it carries something. */
  readonly carrier: number;
  /** Characters of words in a search. */
  readonly search: number;
}

// What loads by itself needs no helper, so little is enough; people share links with searches and ids in them.
const LOADS: Limits = {
  opaquePath: 32,
  opaqueValue: 16,
  opaqueId: 28,
  mixed: 6,
  prose: 12,
  carrier: 6,
  search: 24,
};
const CLICKS: Limits = {
  opaquePath: 56,
  opaqueValue: 24,
  opaqueId: 48,
  mixed: 7,
  prose: 24,
  carrier: 12,
  search: 80,
};

function isPlaceholder(value: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(value));
}

function secretIn(value: string): string | undefined {
  if (SECRET_PHRASE.test(value)) return 'a secret is spelled out';
  if (KEY_SHAPE.test(value)) return 'it has the shape of a key';
  if (MAIL.test(value)) return 'a mail address';
  if (isCardNumber(value)) return 'a card number';
  return undefined;
}

function carriedEvidence(name: string, value: string, limits: Limits): string | undefined {
  if (FILE_NAME.test(value) || DEFAULT_PICTURES.has(value)) return undefined;
  const mixed = /\d/.test(value) && /\p{L}/u.test(value) && value.length >= limits.mixed;
  const word = limits === CLICKS && /^[a-z]+$/.test(value);
  const long = value.length >= limits.carrier && !word;
  return mixed || long ? `the parameter ${name}` : undefined;
}

/** Characters of a part of a name that by chance decode to nothing legible. */
const LEAST_PART = 16;

const DRAWING: Evidence = { reason: 'a drawing', weak: true };

/** What the text that a token hides says about it. A drawing is only one when all of it was read. */
function hiddenEvidence(token: string): Evidence | undefined {
  const hidden = hiddenText(token);
  if (hidden === undefined) return undefined;
  if (token.length <= MOST_READ && isDrawing(hidden) && secretIn(hidden) === undefined) {
    return DRAWING;
  }
  return { reason: `it decodes to text: ${hidden.slice(0, 80)}` };
}

/** No evidence once in an address; several could carry something together. */
const RECORD: Evidence = { reason: 'several records' };

/** Whether a token hides a record of a service, with no secret in it. */
function hidesRecord(token: string): boolean {
  const record = recordIn(token);
  if (record === undefined) return false;
  const words = record.replaceAll(/\|+/g, ' ');
  return secretIn(words) === undefined && !SECRET_NUMBER.test(words);
}

function pieceEvidence(
  piece: Piece,
  limits: Limits,
  event: boolean,
): Evidence | string | undefined {
  const { where, name, value } = piece;
  if (value.length < 4 || isPlaceholder(value)) return undefined;
  const inPath = where === 'path' || where === 'subdomain';
  const file = where === 'path' && FILE_NAME.test(value);
  const stem = file ? value.slice(0, value.lastIndexOf('.')) : value;
  const tokens = new Set([stem, stem.replaceAll(/[\s.]/g, '')]);
  // Also beside an id, in one of the parts of a name.
  for (const part of stem.split(/[-_.~]/)) if (part.length >= LEAST_PART) tokens.add(part);
  const telling = SECRET_NAMES.test(name) || CARRIER_NAMES.has(name);
  for (const token of tokens) {
    if (where === 'query' && !telling && token === value && hidesRecord(token)) return RECORD;
    const hidden = hiddenEvidence(token);
    if (hidden !== undefined) return hidden;
  }
  if (INVISIBLE.test(value)) return 'invisible characters';
  const secret = secretIn(stem);
  if (secret !== undefined) return secret;
  if (where === 'userinfo') return value.length >= 12 ? 'a long user name or password' : undefined;
  if (inPath) {
    if (opaqueLength(stem) >= limits.opaquePath) return 'a long random-looking part';
    const spaces = stem.match(/\s/g)?.length ?? 0;
    if (!file && spaces >= 3 && stem.length >= limits.prose) return 'words in the path';
    return file && spaces >= 6 ? 'a sentence as a file name' : undefined;
  }
  if (SECRET_NUMBER.test(value)) return 'a secret is spelled out';
  if (isDrawing(value)) return DRAWING;
  if (SECRET_NAMES.test(name) && value.length >= 6 && !/^[a-z]{1,12}$/.test(value)) {
    return `the parameter ${name}`;
  }
  if (isHash(value) || /^[\d.,:+-]{1,8}$/.test(value)) return undefined;
  const carrier = CARRIER_NAMES.has(name);
  if (/^[\d.,:+-]{1,14}$/.test(value)) {
    return carrier && limits === LOADS ? `a number in the parameter ${name}` : undefined;
  }
  const opaqueLimit = ID_NAMES.has(name) ? limits.opaqueId : limits.opaqueValue;
  if (opaqueLength(value) >= opaqueLimit) return 'a long random-looking parameter';
  if (where === 'fragment' && name === '') return undefined;
  if (/^(?:https?|ftp):/i.test(value) || name.startsWith('utm_') || name.startsWith(':~:')) {
    return undefined;
  }
  if (SIZE_NAMES.has(name) && value.length <= 20) return undefined;
  const words = wordsIn(value);
  if (event && EVENT_NAMES.has(name)) {
    return value.length >= LONGEST_EVENT ? 'a long text of an event' : undefined;
  }
  if (carrier) return carriedEvidence(name, value, limits);
  if (SEARCH_NAMES.has(name)) {
    return value.length >= limits.search && words >= 4 ? 'a long search' : undefined;
  }
  return words >= 3 && value.length >= limits.prose ? 'words in a parameter' : undefined;
}

/** Parts of one or two characters in a row, mostly letters; shards of a store are fewer, and tiles are numbers. */
function spellsInPath(parts: readonly Piece[], limits: Limits): boolean {
  const least = limits === LOADS ? 7 : 10;
  let run = '';
  let count = 0;
  for (const { value } of parts) {
    if (/^[\p{L}\p{N}]{1,2}$/u.test(value)) {
      run += value;
      count += 1;
      const letters = run.match(/\p{L}/gu)?.length ?? 0;
      if (count >= 5 && run.length >= least && letters * 2 >= run.length) return true;
    } else {
      run = '';
      count = 0;
    }
  }
  return false;
}

/** A link that makes an entry in a calendar: two times, or a range of them, with a text. */
function isEvent(pieces: readonly Piece[]): boolean {
  const times = pieces.filter(({ where, value }) => where === 'query' && EVENT_TIME.test(value));
  return times.length >= 2 || times.some(({ value }) => /^[\dTZ:-]+\/[\dTZ:-]+$/.test(value));
}

/** Data spread over parts: what they say when they are put together in order. */
function joinedEvidence(pieces: readonly Piece[], limits: Limits): string | undefined {
  for (const where of ['subdomain', 'path', 'query', 'fragment'] as const) {
    const parts = pieces.filter((piece) => piece.where === where && !isPlaceholder(piece.value));
    // A file name at the end closes the address; the data stands before it.
    const last = parts.at(-1);
    if (where === 'path' && last !== undefined && FILE_NAME.test(last.value)) parts.pop();
    if (parts.length < 2) continue;
    const joined = parts.map((piece) => piece.value).join('');
    if (joined.length <= 4096 || parts.length >= 4) {
      const hidden = hiddenText(joined);
      if (hidden !== undefined) return `its parts decode to text: ${hidden.slice(0, 80)}`;
    }
    const spaced = parts.map((piece) => piece.value).join(' ');
    if (SECRET_PHRASE.test(spaced)) return 'its parts spell out a secret';
    if (where === 'path') {
      if (spellsInPath(parts, limits)) return 'its path spells a text';
      continue;
    }
    // Enumerated or one-letter names are slots for chunks.
    const chunks = parts.filter(({ name, value }) => {
      const slot = where !== 'query' || /^(?:[a-z]{0,6}[-_]?\d{1,3}|[a-z]|\[?\d+\]?)$/.test(name);
      return slot && value.length >= 2 && !/^\d{1,5}$/.test(value) && !isHash(value);
    });
    if (chunks.length < 3) continue;
    const together = chunks.map((piece) => piece.value).join('');
    if (where === 'query' && together.length >= limits.carrier * 2) {
      return 'data in numbered parameters';
    }
    const mixed = opaqueLength(together);
    if (mixed >= limits.opaqueValue && /\d/.test(together)) return 'data spread over labels';
  }
  return undefined;
}

/**
 * What in a valid URL to an untrusted host is data about the conversation; `undefined` when nothing looks like it.
 * `url` is the address taken apart, for callers that have it already. `drafted`: its parameters are the texts of a mail or an entry, which are
 * words of people.
 */
export function dataIn(
  address: string,
  loads: boolean,
  {
    url = new URL(address),
    drafted = false,
  }: { readonly url?: URL; readonly drafted?: boolean } = {},
): Evidence | undefined {
  const limits = loads ? LOADS : CLICKS;
  if (address.length > LONGEST_URL) return { reason: 'longer than an address has use for' };
  const pieces = piecesOf(address, url);
  const event = drafted || (!loads && isEvent(pieces));
  let weak: Evidence | undefined;
  let records = 0;
  for (const piece of pieces) {
    const found = pieceEvidence(piece, limits, event);
    if (found === undefined) continue;
    if (found === RECORD) records += 1;
    if (found === RECORD && records === 1) continue;
    if (typeof found === 'string') return { reason: found };
    if (found.weak !== true) return found;
    weak = found;
  }
  const joined = joinedEvidence(pieces, limits);
  return joined === undefined ? weak : { reason: joined };
}
