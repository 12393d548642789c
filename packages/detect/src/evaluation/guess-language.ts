import { checkText } from '../check-values.js';

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
];

// Short words that are frequent in one language and rare in the others of the list.
const WORDS: Readonly<Record<string, string>> = {
  en: 'the and of to you is what how your with for that this are do can my',
  de: 'der die das und ist nicht ich wie du für mit ein eine auf wer von zu den',
  es: 'el los las que una por con para cómo qué del es tu lo más',
  fr: 'le les des est une pour que dans vous du et ce comment quel tes mot',
  it: 'il che di per gli della come sono una non le si con del',
  pt: 'o os que uma para não com do da como você em são seu as',
  nl: 'de het een en van ik niet hoe voor op met zijn mijn alle',
  pl: 'i w nie się jak na do jest to czy z że wszystkie',
  hr: 'i je da se na što kako ne su za koji sve bez',
  tr: 've bir bu için nasıl ne de ile mi olarak tüm',
};

/** Letters that are looked at; a language shows early. */
const LOOKED_AT = 2_000;

/**
 * Guesses a language from its script or its short words: good enough to break a table down by, no
 * more. `und` where nothing speaks for one.
 */
export function guessLanguage(text: string): string {
  checkText(text);
  const start = text.slice(0, LOOKED_AT).toLowerCase();
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return 'und';
  for (const [language, script] of SCRIPTS) {
    if ((start.match(script)?.length ?? 0) > letters * 0.3) return language;
  }
  const words = start.match(/\p{L}+/gu) ?? [];
  let best = 'und';
  let most = 0;
  for (const [language, list] of Object.entries(WORDS)) {
    const known = new Set(list.split(' '));
    const hits = words.filter((word) => known.has(word)).length;
    if (hits > most) {
      best = language;
      most = hits;
    }
  }
  return best;
}
