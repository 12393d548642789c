import { describe, expect, it } from 'vitest';
import { prepareCanaries } from '../../src/canary.js';
import { REWRITES, type Rewrite, seededNumbers } from '../../src/rewrites/index.js';
import { Scanner } from '../../src/scanner.js';
import { CodedRuns } from '../../src/stream/coded-runs.js';
import { OutputGate } from '../../src/stream/index.js';

const canary = 'pbc-7k2m9q4x8v1c6z3n5t0w';
const scanner = new Scanner();

function gateOf(canaries: readonly string[] = [canary]): OutputGate {
  return new OutputGate({ canaries, scan: (text) => scanner.scanOutput(text, { canaries }) });
}

function shownOf(text: string, size: number, gate = gateOf()): string {
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += gate.push(text.slice(at, at + size));
  return shown + gate.end().text;
}

const named = (...names: readonly string[]): Rewrite[] =>
  REWRITES.filter(({ name }) => names.includes(name));
const OUTER = named(
  'base64url',
  'base32',
  'hex',
  'binary',
  'decimal',
  'url',
  'url-twice',
  'entities',
  'u-escapes',
  'quoted-printable',
  'base64-wrapped',
  'comment-split',
  'tag-characters',
);
const INNER = named('base64', 'base85', 'hex', 'octal', 'url', 'entities', 'x-escapes', 'rot47');

describe('a canary in selectors, which count as marks of letters', () => {
  const hidden = Array.from(canary, (one) =>
    String.fromCodePoint(0xe0100 + one.charCodeAt(0) - 16),
  );

  it.each([
    ['a word', 'Hello there'],
    ['a space', 'Hello there. '],
    ['an emoji', 'Hello \u{1f600}'],
  ])('is no ordinary word behind %s', (_name, before) => {
    for (const size of [1, 1000]) {
      const runs = new CodedRuns(prepareCanaries([canary]), 8192);
      const text = `${before}${hidden.join('')} and that is all of it.`;
      for (let at = 0; at < text.length; at += size) runs.push(text.slice(at, at + size));
      expect(runs.leak).toBeGreaterThanOrEqual(before.length - 6);
      expect(runs.leak).toBeLessThanOrEqual(before.length);
    }
  });
});

describe('a canary in two encodings that comes through a stream', () => {
  it.each(OUTER)('shows nothing of itself where it is found: $name of others', (outer) => {
    let found = 0;
    for (const inner of INNER) {
      const random = seededNumbers(7);
      const written = outer.apply(inner.apply(canary, random), random);
      const text = `The value that you asked for is this one: ${written} and that was all.`;
      const leak = scanner
        .scanOutput(text, { canaries: [canary] })
        .detections.find(({ id }) => id === 'PB-CANARY');
      if (leak === undefined) continue;
      found += 1;
      for (const size of [3, text.length]) {
        const shown = shownOf(text, size);
        expect(text.startsWith(shown)).toBe(true);
        expect({ inner: inner.name, most: Math.max(shown.length, leak.span.start) }).toEqual({
          inner: inner.name,
          most: leak.span.start,
        });
      }
    }
    expect(found).toBeGreaterThanOrEqual(3);
  });

  it.each(['tag-characters', 'flag-tags', 'selector-bytes', 'zero-width-binary', 'tagged-words'])(
    'shows nothing of itself in one that hides it alone: %s',
    (name) => {
      const [rewrite] = named(name);
      const text = `Here you are. ${rewrite?.apply(canary, seededNumbers(7))} Anything else?`;
      const leak = scanner
        .scanOutput(text, { canaries: [canary] })
        .detections.find(({ id }) => id === 'PB-CANARY');
      expect(shownOf(text, 3).length).toBeLessThanOrEqual(leak?.span.start ?? -1);
    },
  );

  it('shows nothing of itself behind a long row of other signs', () => {
    const written = btoa(Array.from(canary, (c) => `%${c.charCodeAt(0).toString(16)}`).join(''));
    const text = `Look: ${'12 34 (5) '.repeat(1500)}${written} there it is.`;
    const shown = shownOf(text, 50);
    expect(shown.length).toBeGreaterThan(8192);
    expect(shown.length).toBeLessThanOrEqual(text.indexOf(written));
  });
});

describe('a stream that looks for encoded canaries', () => {
  const READ = [
    'We met at 12:30, room B2 (x = 7; y += 3), and it was fine.\n'.repeat(40),
    '| 1 | 22 | 333 |\n'.repeat(900),
    'これは長い文章です。単語の間に空白はありません。'.repeat(20),
    'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4 is no secret. <!-- never closed\n'.repeat(30),
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB'.repeat(400),
    ' \n \n'.repeat(300),
  ];
  it.each(READ)('shows a benign reply as it is: %#', (reply) => {
    for (const size of [3, 1000, reply.length]) expect(shownOf(reply, size)).toBe(reply);
  });

  it('gives prose word by word', () => {
    const gate = gateOf();
    expect(gate.push('The sea is wide')).toBe('The sea is ');
    expect(gate.push(', blue')).toBe('wide, ');
    expect(gate.push(' and 20 km')).toBe('blue and ');
    expect(gate.push(' long')).toBe('');
    expect(gate.push(' at')).toBe('20 km long ');
  });

  it('holds no more than it may', () => {
    const gate = gateOf();
    let most = 0;
    let sent = 0;
    let shown = 0;
    for (let i = 0; i < 4000; i += 1) {
      const piece = `${i} %${i % 10}0 `;
      sent += piece.length;
      shown += gate.push(piece).length;
      most = Math.max(most, sent - shown);
    }
    expect(most).toBeGreaterThan(1000);
    expect(most).toBeLessThanOrEqual(8192);
  });

  it('waits for nothing without canaries', () => {
    expect(gateOf([]).push('x = 12;')).toBe('x = 12;');
  });
});
