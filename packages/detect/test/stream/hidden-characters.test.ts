import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scanner } from '../../src/scanner.js';
import { HiddenCharacters } from '../../src/stream/hidden-characters.js';
import { OutputGate } from '../../src/stream/index.js';

const canary = 'pbc-7k2m9q4x8v1c6z3n5t0w';
const message = 'attack at dawn and send the money';
const scanner = new Scanner();

function gateOf(canaries: readonly string[] = []): OutputGate {
  return new OutputGate({ canaries, scan: (text) => scanner.scanOutput(text, { canaries }) });
}

const point = (code: number): string => String.fromCodePoint(code);
const codes = (text: string): number[] => Array.from(text, (one) => one.charCodeAt(0));

/** One group of undrawn characters for each letter. */
const CHANNELS: Readonly<Record<string, (text: string) => string[]>> = {
  selectors: (text) => codes(text).map((code) => point(0xe0100 + code - 16)),
  tags: (text) => codes(text).map((code) => point(0xe0000 + code)),
  'zero-width bits': (text) =>
    codes(text).map((code) =>
      code.toString(2).padStart(8, '0').replaceAll('0', '\u200b').replaceAll('1', '\u200c'),
    ),
  'marks of direction': (text) =>
    codes(text).map((code) =>
      code.toString(2).padStart(8, '0').replaceAll('0', '\u200e').replaceAll('1', '\u200f'),
    ),
};

interface Carried {
  readonly text: string;
  /** Where the first undrawn character stands. */
  readonly at: number;
}

/** Ways to put it into a reply. */
const PLACES: Readonly<Record<string, (hidden: readonly string[]) => Carried>> = {
  'after a space': (hidden) => carried('Hello there. ', hidden.join(''), ' And that is all of it.'),
  'after a word': (hidden) => carried('Hello there', hidden.join(''), ' and that is all of it.'),
  'after an emoji': (hidden) => carried('Hello \u{1f600}', hidden.join(''), ' and that is it.'),
  'after a letter of Han': (hidden) => carried('\u4f60\u597d', hidden.join(''), ' and on.'),
  'behind letters of Han': (hidden) =>
    carried('', hidden.map((group) => `\u4f60\u597d${group}`).join(''), ' and the rest.'),
  'at the end': (hidden) => carried('Hello there, my friend', hidden.join(''), ''),
  'behind each letter': (hidden) =>
    carried(
      '',
      hidden.map((group, i) => `${'Hello my friend'.charAt(i % 15)}${group}`).join(''),
      '',
    ),
  'behind each word': (hidden) =>
    carried('So ', hidden.map((group) => `hello${group} there `).join(''), 'and the rest.'),
  'behind each letter, and then a row': (hidden) =>
    carried(
      '',
      hidden.map((group, i) => (i < 12 ? `a${group}` : group)).join(''),
      ' and the rest of it.',
    ),
};

function carried(before: string, hidden: string, after: string): Carried {
  const text = before + hidden + after;
  const first = /[\u200b-\u200f\u{e0000}-\u{e01ef}]/u.exec(text)?.index ?? text.length;
  return { text, at: first };
}

function shownOf(text: string, size: number, gate: OutputGate): string {
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += gate.push(text.slice(at, at + size));
  return shown + gate.end().text;
}

const CASES = Object.keys(CHANNELS).flatMap((channel) =>
  Object.keys(PLACES).map((place) => ({ channel, place })),
);

describe('text in characters that nobody sees, in a stream', () => {
  it.each(CASES)('is held back: $channel $place', ({ channel, place }) => {
    for (const [canaries, hidden] of [
      [[], message],
      [[canary], canary],
    ] as const) {
      const { text, at } = PLACES[place]?.(CHANNELS[channel]?.(hidden) ?? []) ?? {
        text: '',
        at: 0,
      };
      if (!scanner.scanOutput(text).detections.some(({ id }) => id === 'PB-SMUGGLE')) continue;
      for (const size of [1, 2, 7, text.length]) {
        const gate = gateOf(canaries);
        const shown = shownOf(text, size, gate);
        expect(text.startsWith(shown)).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(at);
      }
    }
  });

  it('is found by the whole check in nearly all of these places', () => {
    const found = CASES.filter(({ channel, place }) => {
      const text = PLACES[place]?.(CHANNELS[channel]?.(message) ?? []).text ?? '';
      return scanner.scanOutput(text).detections.some(({ id }) => id === 'PB-SMUGGLE');
    });
    expect(found.length).toBeGreaterThan(CASES.length - 4);
  });

  it('stops a reply in which a row is longer than may be held', () => {
    const row = (CHANNELS['zero-width bits']?.(message) ?? []).join('').repeat(40);
    const gate = gateOf();
    expect(gate.push(`Hello ${row}`) + gate.push(' and the rest')).toBe('Hello ');
    expect(gate.blocked).toBe(true);
    expect(gate.end()).toMatchObject({ text: '', result: { verdict: 'malicious' } });
  });

  it('stops a reply with more strewn over it than may be held', () => {
    const { text, at } = PLACES['behind each word']?.(
      (CHANNELS['zero-width bits']?.(message) ?? []).concat(
        CHANNELS['zero-width bits']?.(message.repeat(20)) ?? [],
      ),
    ) ?? { text: '', at: 0 };
    expect(text.length).toBeGreaterThan(10_000);
    expect(shownOf(text, 5, gateOf()).length).toBeLessThanOrEqual(at);
  });
});

const ORDINARY: Readonly<Record<string, string>> = {
  'joined emoji':
    'The family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} is here \u2764\ufe0f\u200d\u{1f525} now. ',
  'emoji with a colour of skin':
    'Yes \u{1f9d1}\u{1f3fd}\u200d\u{1f4bb} and \u{1f441}\ufe0f\u200d\u{1f5e8}\ufe0f and 1\ufe0f\u20e3. ',
  'flags of countries and of parts of them':
    'Go \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} and \u{1f1e9}\u{1f1ea} and \u{1f3f3}\ufe0f\u200d\u{1f308}. ',
  Persian:
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u06a9\u062a\u0627\u0628\u200c\u0647\u0627 \u0631\u0627 \u0628\u0628\u06cc\u0646\u0645. ',
  Hindi:
    '\u0915\u094d\u200d\u0937 \u0914\u0930 \u0930\u093e\u0937\u094d\u200c\u091f\u094d\u0930 \u0939\u0948. ',
  Malayalam:
    '\u0d05\u0d35\u0d28\u0d4d\u200d \u0d28\u0d28\u0d4d\u200c\u0d2e \u0d35\u0d3e\u0d28\u0d4d\u200d. ',
  'Hebrew with marks of direction':
    '\u200f\u05e9\u05dc\u05d5\u05dd (C++\u200e) \u05e2\u05d5\u05dc\u05dd\u200f, \u202aNode\u202c. ',
  'a byte order mark': '\ufeffHello there, this is a file. ',
  'Han letters with selectors':
    '\u845b\u{e0100}\u57ce\u5e02\u3068\u9089\u{e0101}\u3055\u3093\u3002',
  'Thai with places for breaks':
    '\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u200b\u0e0a\u0e32\u0e27\u200b\u0e42\u0e25\u0e01 ',
};

it('never holds back more than it may', () => {
  const kinds = ['\u200b', '\u200c', '\u2060', ' ', 'a', '\u{e0101}'];
  const groups = fc.array(
    fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds), fc.integer({ min: 1, max: 60 })),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 90 }), (all, size) => {
      const text = all.map(([one, other, times]) => (one + other).repeat(times)).join('');
      const hidden = new HiddenCharacters(128);
      for (let at = 0; at < text.length; at += size) {
        hidden.push(text.slice(at, at + size));
        // One more for half of a pair.
        expect(hidden.held).toBeLessThanOrEqual(129);
        expect(hidden.leak ?? 0).toBeLessThan(at + size);
      }
    }),
  );
});

describe('a stream of ordinary text with such characters', () => {
  it.each(Object.entries(ORDINARY))('comes as it is written: %s', (_name, text) => {
    for (const whole of [text, text.replace('\ufeff', '').repeat(30)]) {
      const gate = gateOf();
      let shown = '';
      let most = 0;
      for (let at = 0; at < whole.length; at += 1) {
        shown += gate.push(whole.charAt(at));
        most = Math.max(most, at + 1 - shown.length);
      }
      // A flag of tags has fourteen units before it ends.
      expect(most).toBeLessThanOrEqual(14);
      expect(shown + gate.end().text).toBe(whole);
    }
  });

  it('waits once for soft hyphens, and then no more', () => {
    const gate = gateOf();
    let shown = '';
    const words = 'Ge\u00adburts\u00adtags\u00adge\u00adschen\u00adke und ';
    for (const unit of words.repeat(4)) shown += gate.push(unit);
    for (const unit of words.repeat(4)) {
      shown += gate.push(unit);
    }
    expect(shown.length).toBeGreaterThanOrEqual(words.length * 8 - 1);
  });

  it('lets all of it through at last, whatever it is, unless there is a finding', () => {
    const units = fc.constantFrom(
      'a',
      ' ',
      '\u200b',
      '\u200c',
      '\u00ad',
      '\ufe0f',
      '\u{e0101}',
      '\u200f',
      '\u05d0',
      '\ud83d',
      '\udb40',
      '\udd01',
    );
    fc.assert(
      fc.property(
        fc.array(units, { maxLength: 400 }),
        fc.integer({ min: 1, max: 9 }),
        (all, size) => {
          const text = all.join('');
          const gate = gateOf();
          let shown = '';
          for (let at = 0; at < text.length; at += size)
            shown += gate.push(text.slice(at, at + size));
          const { text: rest, result } = gate.end();
          expect(text.startsWith(shown + rest)).toBe(true);
          expect(result.verdict !== 'benign' || shown + rest === text).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
