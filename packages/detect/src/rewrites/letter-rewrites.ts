import type { Rewrite } from './rewrite.js';

/** Letters mapped one by one; `capitals` is used for both cases when it is the only alphabet. */
function mapLetters(text: string, small: (index: number) => string, capital = small): string {
  return text.replaceAll(/[a-z]/giu, (letter) => {
    const code = letter.charCodeAt(0);
    return code >= 0x61 ? small(code - 0x61) : capital(code - 0x41);
  });
}

function block(smallFrom: number, capitalFrom: number): (text: string) => string {
  return (text) =>
    mapLetters(
      text,
      (i) => String.fromCodePoint(smallFrom + i),
      (i) => String.fromCodePoint(capitalFrom + i),
    );
}

const CYRILLIC = new Map(
  Object.entries({ a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' }),
);
const GREEK = new Map(
  Object.entries({ a: 'α', i: 'ι', n: 'η', o: 'ο', p: 'ρ', u: 'υ', v: 'ν', t: 'τ', k: 'κ' }),
);
const WHOLE = new Map(
  Object.entries({
    a: 'а',
    b: 'Ь',
    c: 'с',
    d: 'ԁ',
    e: 'е',
    f: 'ƒ',
    g: 'ɡ',
    h: 'һ',
    i: 'і',
    j: 'ј',
    k: 'к',
    l: 'ӏ',
    m: 'м',
    n: 'ո',
    o: 'о',
    p: 'р',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'т',
    u: 'ս',
    v: 'ѵ',
    w: 'ԝ',
    x: 'х',
    y: 'у',
    z: 'ᴢ',
  }),
);
const LEET = new Map(Object.entries({ a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }));
const HEAVY_LEET = new Map(
  Object.entries({ a: '@', b: '8', e: '3', g: '9', i: '!', l: '1', o: '0', s: '$', t: '+' }),
);

function replace(text: string, table: ReadonlyMap<string, string>): string {
  return Array.from(text, (letter) => table.get(letter.toLowerCase()) ?? letter).join('');
}

const ACCENTS = ['\u0300', '\u0301', '\u0302', '\u0308'];

export const letterRewrites: readonly Rewrite[] = [
  { name: 'full-width', parameters: 'U+FF21–U+FF5A', apply: block(0xff41, 0xff21) },
  { name: 'mathematical', parameters: 'bold, U+1D400 on', apply: block(0x1d41a, 0x1d400) },
  {
    name: 'monospace',
    parameters: 'mathematical monospace, U+1D670 on',
    apply: block(0x1d68a, 0x1d670),
  },
  {
    name: 'enclosed',
    parameters: 'letters in circles, U+24B6–U+24E9',
    apply: block(0x24d0, 0x24b6),
  },
  {
    name: 'squared',
    parameters: 'white letters in squares, U+1F170 on',
    apply: block(0x1f170, 0x1f170),
  },
  {
    name: 'regional',
    parameters: 'regional indicators, U+1F1E6 on',
    apply: block(0x1f1e6, 0x1f1e6),
  },
  {
    name: 'accents',
    parameters: 'a grave, acute, circumflex or diaeresis on each vowel',
    apply: (text, random) =>
      text
        .replaceAll(
          /[aeiou]/giu,
          (letter) => letter + (ACCENTS[Math.floor(random() * ACCENTS.length)] ?? ''),
        )
        .normalize('NFC'),
  },
  {
    name: 'cyrillic',
    parameters: 'nine letters that look alike',
    apply: (text) => replace(text, CYRILLIC),
  },
  {
    name: 'greek',
    parameters: 'nine letters that look alike',
    apply: (text) => replace(text, GREEK),
  },
  {
    name: 'whole-script',
    parameters: 'every letter from another script',
    apply: (text) => replace(text, WHOLE),
  },
  { name: 'leet', parameters: 'aeiost as 431057', apply: (text) => replace(text, LEET) },
  {
    name: 'heavy-leet',
    parameters: 'abegilost as @839!10$+',
    apply: (text) => replace(text, HEAVY_LEET),
  },
];
