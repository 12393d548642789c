import { describe, expect, it } from 'vitest';
import { type LabelOptions, labelRows } from '../../src/detector/labelled-rows.js';

const options: LabelOptions = { positive: [], scope: 'input' };
const attacks = (rows: readonly unknown[], more: Partial<LabelOptions> = {}) =>
  labelRows(rows, { ...options, ...more }).texts.map(({ text, attack }) => [text, attack]);

describe('labelRows', () => {
  it('finds the usual columns and labels', () => {
    expect(
      attacks([
        { prompt: 'a', label: 1 },
        { prompt: 'b', label: '0' },
        { prompt: 'c', label: 'Injection' },
        { prompt: 'd', label: false },
      ]),
    ).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', false],
    ]);
  });

  it('takes the columns and the positive value that it is told', () => {
    expect(
      attacks(
        [
          { q: 'a', kind: 'jb', label: 9 },
          { q: 'b', kind: 'other', label: 9 },
        ],
        { textCol: 'q', labelCol: 'kind', positive: ['JB'] },
      ),
    ).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('takes lists of plain texts when told what they are', () => {
    expect(attacks(['x', 'y'], { assume: 'attack' })).toEqual([
      ['x', true],
      ['y', true],
    ]);
  });

  it('keeps to a split', () => {
    const rows = [
      { text: 'a', label: 1, split: 'train' },
      { text: 'b', label: 1, split: 'test' },
    ];
    expect(attacks(rows, { split: 'test' })).toEqual([['b', true]]);
  });

  it('counts rows without text and numbers the others as they stand', () => {
    const { texts, empty } = labelRows(
      [
        { text: ' ', label: 1 },
        { text: 'b', label: 1 },
        { text: null, label: 1 },
      ],
      options,
    );
    expect([texts.map(({ id }) => id), empty]).toEqual([['2'], 2]);
  });

  it('says which columns there are when it finds none', () => {
    expect(() => attacks([{ foo: 'a', label: 1 }])).toThrow('--text-col; name one of foo, label');
    expect(() => attacks([{ text: 'a', foo: 1 }])).toThrow('--label-col; name one of text, foo');
    expect(() => attacks([{ text: 'a', label: 1 }], { textCol: 'x' })).toThrow(
      'there is no column x; the columns are text, label',
    );
  });

  it('does not guess what an unknown label means', () => {
    expect(() => attacks([{ text: 'a', label: 'perhaps' }])).toThrow(
      'the label "perhaps" is not known; say which value means attack with --positive',
    );
  });
});
