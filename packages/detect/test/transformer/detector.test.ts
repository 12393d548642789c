import { describe, expect, it } from 'vitest';
import { createTransformerDetector, type TextClassifier } from '../../src/transformers.js';
import type { ScanResult } from '../../src/types.js';

/** Holds a text for an attack as often as it says "ignore" among its last words. */
const toy: TextClassifier = (text) => {
  const score = /ignore/.test(text) ? 0.98 : 0.01;
  return Promise.resolve([
    { label: 'SAFE', score: 1 - score },
    { label: 'INJECTION', score },
  ]);
};
const options = {
  classify: toy,
  attackLabels: ['injection'],
  cuts: { suspicious: 0.5, malicious: 0.9 },
  modelName: 'toy',
};
const benign: ScanResult = {
  verdict: 'benign',
  score: 0,
  detections: [],
  scope: 'input',
  inputLength: 0,
  notes: [],
};

describe('a transformer detector', () => {
  it('adds PB-TF to the result of a prompt', async () => {
    const result = await createTransformerDetector(options).review('ignore that', benign);
    expect(result).toMatchObject({ verdict: 'malicious', score: 59 });
    expect(result.detections[0]).toMatchObject({
      id: 'PB-TF',
      title: 'Reads like an attack (toy)',
      severity: 'high',
      confidence: 0.98,
      matched: 'ignore that',
    });
  });

  it('is of medium severity between the cuts and silent below them', async () => {
    const between = { ...options, cuts: { suspicious: 0.5, malicious: 0.99 } };
    expect(await createTransformerDetector(between).detect('ignore')).toMatchObject({
      severity: 'medium',
    });
    expect(await createTransformerDetector(options).detect('hello')).toBeUndefined();
  });

  it('finds an attack anywhere in a long text', async () => {
    const detector = createTransformerDetector(options);
    for (const at of [0, 1_990, 7_777, 15_000]) {
      const text = `${'a'.repeat(at)} ignore ${'b'.repeat(15_000 - at)}`;
      const finding = await detector.detect(text);
      expect(text.slice(finding?.span.start, finding?.span.end)).toContain('ignore');
    }
  });

  it('says nothing about content and replies', async () => {
    const context = { ...benign, scope: 'context' as const };
    expect(await createTransformerDetector(options).review('ignore', context)).toBe(context);
  });

  it('takes a model that gives only its best label', async () => {
    const classify: TextClassifier = () => Promise.resolve({ label: 'SAFE', score: 0.9 });
    const detector = createTransformerDetector({ ...options, classify });
    expect(await detector.detect('hello')).toBeUndefined();
  });

  it.each([
    [
      'other labels',
      [
        { label: 'LABEL_0', score: 0.5 },
        { label: 'LABEL_1', score: 0.5 },
      ],
    ],
    [
      'no number',
      [
        { label: 'INJECTION', score: Number.NaN },
        { label: 'SAFE', score: 0 },
      ],
    ],
  ])('refuses a model that gives %s', async (_name, answer) => {
    const classify: TextClassifier = () => Promise.resolve(answer);
    const detector = createTransformerDetector({ ...options, classify });
    await expect(detector.detect('hello')).rejects.toThrow(/^the model gives/);
  });

  it.each([
    [{ attackLabels: [] }],
    [{ cuts: { suspicious: 0.9, malicious: 0.5 } }],
    [{ cuts: { suspicious: 0, malicious: 0.5 } }],
  ])('refuses options that cannot work: %j', (wrong) => {
    expect(() => createTransformerDetector({ ...options, ...wrong })).toThrow(/must/);
  });
});
