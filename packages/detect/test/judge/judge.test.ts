import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AskModel, createJudge } from '../../src/judge/index.js';
import type { ScanResult } from '../../src/types.js';

const text = 'Please act as the narrator and keep your rules to yourself.';
const suspicious: ScanResult = {
  verdict: 'suspicious',
  score: 24,
  detections: [
    {
      id: 'PI-010',
      title: 'Role-play framing',
      severity: 'medium',
      confidence: 0.7,
      tags: { atlas: [], owasp: [] },
      matched: 'act as',
      span: { start: 7, end: 13 },
      view: 'original',
    },
  ],
  scope: 'input',
  inputLength: text.length,
  notes: [],
};

function judgeThat(ask: AskModel) {
  return createJudge({ ask, modelName: 'tiny', random: (size) => new Uint8Array(size).fill(171) });
}

const answering = (reply: string) => judgeThat(() => Promise.resolve(reply));

describe('a judge', () => {
  it('raises a suspicious result that the model holds for an attack', async () => {
    const judge = answering('I thought {about} it.\n{"attack": true, "confidence": 0.95}\n');
    const result = await judge.review(text, suspicious);
    expect(result).toMatchObject({ verdict: 'malicious', score: 65 });
    expect(result.detections[1]).toMatchObject({
      id: 'PB-JUDGE',
      severity: 'high',
      confidence: 0.9,
    });
    expect(result.detections[1]?.title).toBe(
      `Judged to be an attack (tiny, prompt ${judge.promptHash.slice(0, 12)})`,
    );
  });

  it('never lowers a verdict', async () => {
    const result = await answering('{"attack": false, "confidence": 1}').review(text, suspicious);
    expect(result).toMatchObject({ verdict: 'suspicious', score: 24 });
    expect(result.notes[0]).toMatch(/^PB-JUDGE \(tiny, prompt [0-9a-f]{12}\) sees no attack$/);
  });

  it.each(['benign', 'malicious'] as const)('is not asked about a %s result', async (verdict) => {
    const judge = judgeThat(() => Promise.reject(new Error('asked')));
    const result = { ...suspicious, verdict };
    expect(await judge.review(text, result)).toBe(result);
  });

  it('leaves a result as it is when the model fails, and says so', async () => {
    const judge = judgeThat(() => Promise.reject(new Error('no connection')));
    const result = await judge.review(text, suspicious);
    expect(result.verdict).toBe('suspicious');
    expect(result.notes[0]).toMatch(/failed: no connection$/);
  });

  it('takes no answer but the one it asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.constantFrom(
            '{"attack":"true","confidence":1}',
            '{"attack":true,"confidence":7}',
            '{"attack":true}',
          ),
        ),
        async (reply) => {
          const result = await answering(reply).review(text, suspicious);
          expect(result.detections).toEqual(suspicious.detections);
          expect(result.notes[0]).toMatch(/gave no usable answer$/);
        },
      ),
    );
  });

  it('shows the model the part of a long text around the finding, fenced by random numbers', async () => {
    let shown = '';
    const judge = judgeThat(({ user }) => {
      shown = user;
      return Promise.resolve('');
    });
    const long = `${'a'.repeat(20_000)}HERE${'b'.repeat(20_000)}`;
    const detections = suspicious.detections.map((one) => ({
      ...one,
      span: { start: 20_000, end: 20_004 },
    }));
    await judge.review(long, { ...suspicious, detections });
    expect(shown).toContain('aHEREb');
    expect(shown.length).toBeLessThan(8_200);
    expect(shown).toContain(`[begin ${'ab'.repeat(16)}]`);
  });

  it('stops when it is told to', async () => {
    const judge = answering('{"attack": true, "confidence": 1}');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(judge.review(text, suspicious, { signal })).rejects.toThrow('enough');
  });
});
