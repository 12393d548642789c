import { describe, expect, it } from 'vitest';
import { characterTable, PLAIN, SPACE, WORD } from '../../src/views/character-classes.js';
import { characterData } from '../../src/views/character-data.js';
import { KINDS, LOWERS, UNICODE } from '../../src/views/characters-table.js';

const sameUnicode = process.versions['unicode'] === UNICODE;

describe('the table of characters', () => {
  it.skipIf(!sameUnicode)(
    `is the one that scripts/make-characters.js makes with Unicode ${UNICODE}`,
    () => {
      const { kinds, lowers } = characterData();
      expect(kinds === KINDS).toBe(true);
      expect(lowers === LOWERS).toBe(true);
    },
  );

  it('knows a kind for every unit, and its lower case', () => {
    const { kind, word, lower, run } = characterTable();
    const lengths = KINDS.match(/[0-9a-z]+/g) ?? [];
    expect(lengths.reduce((sum, length) => sum + Number.parseInt(length, 36), 0)).toBe(65_536);
    const of = (text: string) => {
      const code = text.charCodeAt(0);
      return [kind[code], word[code], String.fromCharCode(lower[code] ?? 0)];
    };
    expect(of('Q')).toEqual([PLAIN, WORD, 'q']);
    expect(of('Ж')).toEqual([PLAIN, WORD, 'ж']);
    expect(of('Ÿ')).toEqual([PLAIN, WORD, 'ÿ']);
    expect(of('字')).toEqual([PLAIN, WORD, '字']);
    expect(of('\u2003')).toEqual([SPACE, 0, '\u2003']);
    expect((run['Ж'.charCodeAt(0)] ?? 0) & 0xffff).toBe('ж'.charCodeAt(0));
  });
});
