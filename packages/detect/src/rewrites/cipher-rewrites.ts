import type { Rewrite } from './rewrite.js';

function shift(text: string, by: number): string {
  return text.replaceAll(/[a-z]/giu, (letter) => {
    const base = letter < 'a' ? 0x41 : 0x61;
    return String.fromCharCode(((letter.charCodeAt(0) - base + by) % 26) + base);
  });
}

function mirror(text: string): string {
  return text.replaceAll(/[a-z]/giu, (letter) =>
    String.fromCharCode((letter < 'a' ? 0x9b : 0xdb) - letter.charCodeAt(0)),
  );
}

const MORSE =
  `.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...-
.-- -..- -.-- --..`.split(/\s+/u);

function morse(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z ]/gu, '')
    .split(' ')
    .map((word) => Array.from(word, (letter) => MORSE[letter.charCodeAt(0) - 0x61] ?? '').join(' '))
    .join(' / ');
}

function pigLatin(text: string): string {
  return text.replaceAll(/[a-z]+/giu, (word) => {
    const small = word.toLowerCase();
    const start = /^(?:[^aeiou]*qu|[^aeiou]+)/u.exec(small)?.[0] ?? '';
    return start === '' || start === small
      ? `${small}way`
      : `${small.slice(start.length)}${start}ay`;
  });
}

export const cipherRewrites: readonly Rewrite[] = [
  { name: 'rot13', parameters: 'letters by 13', apply: (text) => shift(text, 13) },
  {
    name: 'rot47',
    parameters: 'printable ASCII by 47',
    apply: (text) =>
      text.replaceAll(/[!-~]/gu, (sign) =>
        String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33),
      ),
  },
  {
    name: 'caesar',
    parameters: 'letters by 1 to 25, not 13, by chance',
    apply: (text, random) => {
      const by = 1 + Math.floor(random() * 24);
      return shift(text, by < 13 ? by : by + 1);
    },
  },
  { name: 'atbash', parameters: 'a as z', apply: mirror },
  {
    name: 'reversed',
    parameters: 'letters back to front',
    apply: (text) => Array.from(text).toReversed().join(''),
  },
  {
    name: 'reversed-words',
    parameters: 'words back to front',
    apply: (text) => text.split(' ').toReversed().join(' '),
  },
  { name: 'morse', parameters: 'words apart by a slash', apply: morse },
  {
    name: 'pig-latin',
    parameters: '-ay after the first vowel, -way for words that begin with one',
    apply: pigLatin,
  },
  {
    name: 'typos',
    parameters: 'two inner letters swapped in each word of five letters or more',
    apply: (text, random) =>
      text.replaceAll(/[a-z]{5,}/giu, (word) => {
        const at = 1 + Math.floor(random() * (word.length - 3));
        return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
      }),
  },
  {
    name: 'held-letters',
    parameters: 'a letter of each word two to four times',
    apply: (text, random) =>
      text.replaceAll(/[a-z]{5,}/giu, (word) => {
        const at = 1 + Math.floor(random() * (word.length - 2));
        const times = 2 + Math.floor(random() * 3);
        return word.slice(0, at) + word.charAt(at).repeat(times) + word.slice(at + 1);
      }),
  },
];
