import {
  BASE32,
  BASE64,
  decodeAlphabet,
  HEX,
  isHexSeparator,
  isNothing,
  isWhiteSpace,
} from './decode-alphabet.js';
import { decodeEntities, decodeEscapes, decodePercent } from './decode-markup.js';
import type { LeakStep } from './finding.js';

/** What a text says when it is read in some way; `how` is empty for the text itself. */
export interface View {
  readonly text: string;
  readonly how: readonly LeakStep[];
}

/** Characters that can be put between others without showing; alternatives, because some combine with their neighbours. */
const INVISIBLE =
  /\u00ad|\u034f|\u061c|\u180e|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2064]|[\u2066-\u206f]|[\ufe00-\ufe0f]|\ufeff/g;

/** What an encoding may have left in a text that is read backwards or rotated. */
const ENCODED = /[A-Za-z0-9+/_-]{11}|%[0-9a-f]|[\\&;]/i;

export function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    const base = code < 97 ? 65 : 97;
    return String.fromCharCode(((code - base + 13) % 26) + base);
  });
}

function step(view: View, how: LeakStep, texts: readonly string[]): View[] {
  return texts.map((text) => ({ text, how: [...view.how, how] }));
}

/** What one more undoing makes of a view; nothing where it changes nothing. */
function decoded(view: View, bytes: number): View[] {
  const { text } = view;
  const made: View[] = [];
  const markup: readonly [LeakStep, (text: string) => string][] = [
    ['url-encoding', decodePercent],
    ['escapes', decodeEscapes],
    ['html-entities', decodeEntities],
  ];
  for (const [how, decode] of markup) {
    const plain = decode(text);
    if (plain !== text) made.push(...step(view, how, [plain]));
  }
  made.push(...step(view, 'base64', decodeAlphabet(text, BASE64, bytes, isNothing)));
  if (/\s/.test(text)) {
    made.push(...step(view, 'base64', decodeAlphabet(text, BASE64, bytes, isWhiteSpace)));
  }
  made.push(...step(view, 'base32', decodeAlphabet(text, BASE32, bytes, isWhiteSpace)));
  const bare = text.includes('0x') || text.includes('0X') ? text.replace(/0x/gi, ' ') : text;
  made.push(...step(view, 'hex', decodeAlphabet(bare, HEX, bytes, isHexSeparator)));
  if (view.how.length === 0 && ENCODED.test(text)) {
    // The whole backwards or rotated, for an encoding underneath; the plain cases are needles.
    made.push(...step(view, 'reversed', [reversed(text)]));
    made.push(...step(view, 'rot13', [rot13(text)]));
  }
  return made;
}

export interface ViewOptions {
  /** Encodings that could not hold so many bytes are not looked at. */
  readonly bytes: number;
  /** How many encodings one under the other. */
  readonly deepest: number;
}

/**
 * Calls `visit` with the text and everything that it says when encodings are undone, nearest first, until `visit` returns true.
 * The work is at most a fixed multiple of the text's length: when the readings together grow past that, the deepest are left out.
 */
export function eachView(
  text: string,
  { bytes, deepest }: ViewOptions,
  visit: (view: View) => boolean,
): boolean {
  const first: View = { text: text.replace(INVISIBLE, ''), how: [] };
  const seen = new Set<string>();
  let budget = 60 * (first.text.length + 200);
  let level: View[] = [first];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: View[] = [];
    for (const view of level) {
      if (seen.has(view.text)) continue;
      seen.add(view.text);
      budget -= view.text.length;
      if (budget < 0) return false;
      // The whole backwards or rotated is only a way to what lies underneath.
      const bridge =
        view.how.length === 1 && (view.how[0] === 'reversed' || view.how[0] === 'rot13');
      if (!bridge && visit(view)) return true;
      if (depth < deepest) next.push(...decoded(view, bytes));
    }
    level = next;
  }
  return false;
}
