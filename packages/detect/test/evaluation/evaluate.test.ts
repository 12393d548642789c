import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/evaluation/evaluate.js';
import { guessLanguage } from '../../src/evaluation/guess-language.js';
import type { LabelledText } from '../../src/evaluation/labelled-text.js';
import { evaluationMarkdown } from '../../src/evaluation/report.js';
import type { Detection, ScanResult, Verdict } from '../../src/types.js';

const detection = (id: string, view: string): Detection => ({
  id,
  title: id,
  severity: 'high',
  confidence: 0.9,
  tags: { atlas: [], owasp: [] },
  matched: 'x',
  span: { start: 0, end: 1 },
  view,
});

const result = (score: number, detections: readonly Detection[] = []): ScanResult => {
  const verdict: Verdict = score >= 50 ? 'malicious' : score >= 20 ? 'suspicious' : 'benign';
  return { verdict, score, detections, scope: 'input', inputLength: 1, notes: [] };
};

const rows: LabelledText[] = [
  { id: '1', text: 'please obey the tiger', attack: true, scope: 'input', language: 'en' },
  { id: '2', text: 'obey | all', attack: true, scope: 'context', language: 'en' },
  { id: '3', text: 'und das ist nicht der Tiger', attack: true, scope: 'input' },
  { id: '4', text: 'the tiger is in the zoo', attack: false, scope: 'input' },
  { id: '5', text: 'a', attack: false, scope: 'input', language: 'en' },
];
const results = new Map([
  ['1', result(54, [detection('PI-001', 'original'), detection('PI-001', 'original')])],
  ['2', result(30, [detection('PI-002', 'decoded')])],
  ['3', result(0)],
  ['4', result(24, [detection('PI-002', 'original')])],
  ['5', result(0)],
]);
const scan = ({ id }: LabelledText) => results.get(id) ?? result(0);

describe('evaluate', () => {
  it('counts both operating points', () => {
    const { n, positives, negatives, points } = evaluate(rows, { dataset: 'd', scan });
    expect([n, positives, negatives]).toEqual([5, 3, 2]);
    expect(points.malicious).toMatchObject({ tp: 1, fp: 0, tn: 2, fn: 2, precision: 1, fpr: 0 });
    expect(points.suspicious).toMatchObject({ tp: 2, fp: 1, tn: 1, fn: 1, fpr: 0.5 });
  });

  it('counts a rule once a text, and views apart', () => {
    const { by_rule, by_view } = evaluate(rows, { dataset: 'd', scan });
    expect(by_rule).toEqual([
      { name: 'PI-002', tp: 1, fp: 1, precision: 0.5 },
      { name: 'PI-001', tp: 1, fp: 0, precision: 1 },
    ]);
    expect(by_view.map(({ name, tp, fp }) => [name, tp, fp])).toEqual([
      ['original', 1, 1],
      ['decoded', 1, 0],
    ]);
  });

  it('breaks down by scope, language and length', () => {
    const { by_scope, by_language, by_length } = evaluate(rows, { dataset: 'd', scan });
    expect(by_scope.map(({ name, n }) => [name, n])).toEqual([
      ['input', 4],
      ['context', 1],
    ]);
    expect(by_language.map(({ name, n }) => [name, n])).toEqual([
      ['en', 4],
      ['de', 1],
    ]);
    expect(by_length.map(({ name, n }) => [name, n])).toEqual([['≤ 100', 5]]);
  });

  it('lists as many mistakes as were asked for', () => {
    const none = evaluate(rows, { dataset: 'd', scan });
    const one = evaluate(rows, { dataset: 'd', scan, mistakes: 1 });
    expect([none.misses, none.false_alarms]).toEqual([[], []]);
    expect(one.misses.map(({ id }) => id)).toEqual(['3']);
    expect(one.false_alarms.map(({ id }) => id)).toEqual(['4']);
  });

  it('reports times only from the clock it was given', () => {
    let clock = 0;
    const elapsed = () => (clock += 1);
    expect(evaluate(rows, { dataset: 'd', scan }).ms_per_sample).toBeNull();
    expect(evaluate(rows, { dataset: 'd', scan, elapsed }).ms_per_sample).toBe(1);
  });

  it('leaves everything open for an empty set', () => {
    const { n, pr_auc, points } = evaluate([], { dataset: 'd', scan });
    expect([n, pr_auc, points.malicious.f1]).toEqual([0, null, null]);
  });
});

describe('evaluationMarkdown', () => {
  it('writes tables that hostile text cannot break', () => {
    const page = evaluationMarkdown(
      evaluate([...rows, { id: '6', text: 'x | y\n# z', attack: true, scope: 'input' }], {
        dataset: 'own\nset',
        scan,
        mistakes: 5,
      }),
    );
    expect(page).toContain('# own set\n');
    expect(page).toContain('x \\| y # z');
    expect(page).toContain('| malicious | 1 / 0 / 2 / 3 | 100.0 % [20.7, 100.0] | 25.0 %');
  });

  it('brings no markup of a text into the page', () => {
    const text = '<img src=x onerror=y> ![i](http://e.invalid/x.png) `z` \u202eabc';
    const page = evaluationMarkdown(
      evaluate([...rows, { id: '7', text, attack: true, scope: 'input' }], {
        dataset: 'own',
        scan,
        mistakes: 9,
      }),
    );
    expect(page).toContain(
      '&lt;img src=x onerror=y&gt; \\!\\[i\\](http://e.invalid/x.png) \\`z\\` \ufffdabc',
    );
  });

  it('says n/a where a rate is not defined', () => {
    expect(evaluationMarkdown(evaluate([], { dataset: 'd', scan }))).toContain(
      '| malicious | 0 / 0 / 0 / 0 | n/a | n/a | n/a | n/a |',
    );
  });
});

describe('guessLanguage', () => {
  it('knows scripts and common short words', () => {
    expect(
      [
        'How do I write a letter to the bank?',
        'Wie schreibe ich der Bank einen Brief?',
        'Cómo puedo ir al centro de la ciudad',
        'Comment aller à la gare avec un enfant ?',
        'Как сварить суп',
        'これは何ですか',
        '请问怎么走',
        '어디에 있어요',
        '1234',
      ].map(guessLanguage),
    ).toEqual(['en', 'de', 'es', 'fr', 'ru', 'ja', 'zh', 'ko', 'und']);
  });
});
