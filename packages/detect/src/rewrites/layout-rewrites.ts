import type { Rewrite } from './rewrite.js';

function letters(text: string): string[] {
  return Array.from(text.replaceAll(/[^\p{L}\p{N} ]/gu, ''));
}

/** Letters apart by a separator, words by a wider one. */
function spread(text: string, separator: string, wide: string): string {
  return letters(text)
    .join('')
    .split(' ')
    .map((word) => Array.from(word).join(separator))
    .join(wide);
}

/** Puts `mark` into the middle of every word of four letters or more. */
function split(text: string, mark: (part: string) => string): string {
  return text.replaceAll(/\p{L}{4,}/gu, (word) => {
    const at = word.length >> 1;
    return word.slice(0, at) + mark(word.slice(at));
  });
}

export const layoutRewrites: readonly Rewrite[] = [
  {
    name: 'spaced',
    parameters: 'a space between letters, three between words',
    apply: (text) => spread(text, ' ', '   '),
  },
  {
    name: 'dotted',
    parameters: 'a dot between letters, a space between words',
    apply: (text) => spread(text, '.', ' '),
  },
  {
    name: 'dashed',
    parameters: 'a dash between letters, a space between words',
    apply: (text) => spread(text, '-', ' '),
  },
  {
    name: 'underscored',
    parameters: 'an underscore between letters, two between words',
    apply: (text) => spread(text, '_', '__'),
  },
  {
    name: 'vertical',
    parameters: 'one letter a line',
    apply: (text) =>
      letters(text)
        .filter((letter) => letter !== ' ')
        .join('\n'),
  },
  {
    name: 'chunks',
    parameters: 'two letters at a time, word limits lost',
    apply: (text) =>
      letters(text)
        .join('')
        .replaceAll(' ', '')
        .match(/.{1,2}/gu)
        ?.join(' ') ?? '',
  },
  {
    name: 'markdown-split',
    parameters: 'emphasis from the middle of each word on',
    apply: (text) => split(text, (rest) => `**${rest}**`),
  },
  {
    name: 'comment-split',
    parameters: 'an HTML comment in each word',
    apply: (text) => split(text, (rest) => `<!-- note -->${rest}`),
  },
  {
    name: 'camel-case',
    parameters: 'no spaces, capitals instead',
    apply: (text) =>
      letters(text)
        .join('')
        .split(' ')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
        .join(''),
  },
  {
    name: 'concatenation',
    parameters: "pieces of five characters in quotes, joined by '+'",
    apply: (text) => (text.match(/.{1,5}/gu) ?? []).map((piece) => `'${piece}'`).join(' + '),
  },
  {
    name: 'appended',
    parameters: 'pieces of five characters in strings that code appends one by one',
    apply: (text) => (text.match(/.{1,5}/gu) ?? []).map((piece) => `s += "${piece}";`).join('\n'),
  },
  {
    name: 'tagged-words',
    parameters: 'the first letter of each word in an inline tag',
    apply: (text) =>
      text.replaceAll(/\p{L}+/gu, (word) => `<b>${word.slice(0, 1)}</b>${word.slice(1)}`),
  },
];
