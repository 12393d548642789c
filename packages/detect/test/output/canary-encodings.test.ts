import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCanary, makeCanary, prepareCanaries } from '../../src/canary.js';
import { NeedleIndex } from '../../src/output/needle-index.js';
import { REWRITES, seededNumbers } from '../../src/rewrites/index.js';
import { Scanner } from '../../src/scanner.js';
import { OutputGate } from '../../src/stream/output-gate.js';

const canary = 'pbc-7k2m9q4x8v1c6z3n5t0w';
const other = 'pbc-7k2m9q4x7v1c6z3n5t0w';
const set = prepareCanaries([canary]);
const scanner = new Scanner();

const SIGNS =
  `.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..-
-.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. /`.split(/\s/);
const morse = (text: string): string =>
  Array.from(
    text,
    (sign) => SIGNS['abcdefghijklmnopqrstuvwxyz0123456789-'.indexOf(sign)] ?? '',
  ).join(' ');

/** These change or drop characters, so that no canary is left. */
const LOSING = new Set(['morse', 'pig-latin', 'typos']);
const rewrites = REWRITES.filter(({ name }) => !LOSING.has(name));

const caesar = (text: string, places: number): string =>
  text.replaceAll(/[a-z]/g, (c) =>
    String.fromCharCode(((c.charCodeAt(0) - 97 + places) % 26) + 97),
  );

describe('a canary that is written in another way', () => {
  it.each(rewrites)('is found in a reply: $name', (rewrite) => {
    const random = seededNumbers(7);
    const apply = (text: string) => rewrite.apply(text, random);
    const alone = apply(canary);
    const texts = [
      alone,
      `Here it is: ${alone} (that was all).`,
      apply(`The secret word is ${canary}, as I was told.`),
    ];
    for (const text of texts) {
      const { detections } = scanner.scanOutput(text, { canaries: [canary] });
      expect(detections.map(({ id }) => id)).toContain('PB-CANARY');
    }
    // Another one is not found in it.
    const found = scanner.scanOutput(apply(other), { canaries: [canary] });
    expect(found.detections.map(({ id }) => id)).not.toContain('PB-CANARY');
  });

  it.each([
    ['in Morse code', morse(canary)],
    ['in Morse code, with other signs', morse(canary).replaceAll('.', '·').replaceAll('-', '–')],
    ['in Morse code, line by line', morse(canary).replaceAll(' ', '\n')],
    ['in Morse code, without its prefix', morse(canary.slice(4))],
    ['in Morse code, in quotes', `"${morse(canary)}"`],
    ['in leet of both kinds', 'pbc-7k2m9q4x8v|c6z3n$t0w'],
    ['with letters for digits', 'pbc-tkzmgqaxbvlcbzenstow'],
    ['in leet, spaced', Array.from('pbc-tkzmgqaxbvlcbzenstow').join(' ')],
    ['by 5 places and backwards', Array.from(caesar(canary, 5)).toReversed().join('')],
    ['by 21 places, in capitals', caesar(canary, 21).toUpperCase()],
    [
      'in a list of lines',
      Array.from(canary, (c) => `- ${c}`)
        .join('\n')
        .slice(2),
    ],
  ])('is found %s, where it stands', (_name, written) => {
    const text = `Well: ${written} and no more.`;
    const start = text.indexOf(written) + (written.startsWith('"') ? 1 : 0);
    expect(findCanary(text, set)).toMatchObject({ canary, split: false, span: { start } });
  });

  const hex = (text: string) =>
    Array.from(text, (c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  it.each([
    ['base64 of hexadecimal digits', btoa(hex(canary))],
    ['base64 of capital hexadecimal digits', btoa(hex(canary).toUpperCase())],
    ['hexadecimal digits of base64', hex(btoa(canary))],
    ['octal escapes', Array.from(canary, (c) => `\\${c.charCodeAt(0).toString(8)}`).join('')],
    ['base64 of parted letters', btoa(Array.from(canary).join(' '))],
    ['base64 backwards', Array.from(btoa(canary)).toReversed().join('')],
    ['base64 of escapes', btoa(Array.from(canary, (c) => `%${hex(c)}`).join(''))],
  ])('is found in what a user writes as in a reply, as %s', (_name, written) => {
    const text = `The code is ${written} for you.`;
    const found = (canaries: readonly string[]) =>
      [scanner.scan(text, { canaries }), scanner.scanOutput(text, { canaries })].map(
        ({ detections }) => detections.map(({ id }) => id),
      );
    expect(found([canary])).toEqual([['PB-CANARY'], ['PB-CANARY']]);
    expect(found([other]).flat()).not.toContain('PB-CANARY');
  });

  it('is found wherever its letters are turned to, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.nat(25),
        fc.string(),
        (bytes, places, before) => {
          const token = makeCanary(() => bytes);
          const canaries = prepareCanaries([token]);
          for (const written of [caesar(token, places), morse(token)]) {
            expect(findCanary(`${before} ${written} end`, canaries)).toMatchObject({
              canary: token,
            });
          }
        },
      ),
    );
  });

  it('is not taken from words that a short one is turned into', () => {
    // By 13 places, which are looked for in any case.
    expect(findCanary('abjurer', prepareCanaries(['nowhere']))).toBeDefined();
    expect(findCanary('They sat in sunshine.', prepareCanaries([caesar('sunshine', 4)]))).toBe(
      undefined,
    );
  });
});

describe('a numbered list of the characters of a canary', () => {
  const list = (token: string) =>
    `Here:\n\n${Array.from(token, (c, i) => `${i + 1}. ${c}`).join('\n')}\n\nThat is all.`;

  it('is found where it stands', () => {
    const text = list(canary);
    const start = text.indexOf('p');
    expect(findCanary(text, set)).toMatchObject({ canary, split: false, span: { start } });
    expect(findCanary(list(other), set)).toBeUndefined();
  });

  it.each([1, 2, 5, 40])('does not come through a stream in pieces of %i', (size) => {
    const text = list(canary);
    const gate = new OutputGate({ canaries: [canary] });
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += gate.push(text.slice(at, at + size));
    expect(shown.length).toBeLessThanOrEqual(text.indexOf('p'));
    expect(gate.end()).toMatchObject({ text: '', result: { verdict: 'malicious' } });
  });
});

describe('a stream that a canary comes through in pieces', () => {
  it.each([
    ['in Morse code', morse(canary)],
    ['by 5 places', caesar(canary, 5)],
    ['in leet', 'pbc-tkzmgqaxbvlcbzenstow'],
    ['in leet with signs', 'pbc-7k2m9q4x8v|c6z3n$t0w'],
  ])('lets nothing of it go: %s', (_name, written) => {
    for (let size = 1; size < written.length; size += 3) {
      const gate = new OutputGate({ canaries: [canary] });
      let shown = '';
      const text = `It is "${written}", so there.`;
      for (let at = 0; at < text.length; at += size) shown += gate.push(text.slice(at, at + size));
      expect('It is "'.startsWith(shown)).toBe(true);
      expect(gate.end().result.verdict).toBe('malicious');
    }
  });

  it('lets nothing of it go, in whatever cipher it is written and wherever the text is cut', () => {
    const turned = fc
      .tuple(fc.nat(25), fc.boolean(), fc.boolean(), fc.constantFrom('', ' ', '.', '-'))
      .map(([places, backwards, capitals, between]) => (token: string) => {
        const units = Array.from(caesar(token, places));
        const text = (backwards ? units.toReversed() : units).join(between);
        return capitals ? text.toUpperCase() : text;
      });
    const atbash = (token: string): string =>
      token.replaceAll(/[a-z]/g, (c) => String.fromCharCode(219 - c.charCodeAt(0)));
    const leet = (token: string): string =>
      token.replaceAll(/[oilzeast]/g, (c) => '01|234$7'.charAt('oilzeast'.indexOf(c)));
    const writing = fc.oneof(turned, fc.constantFrom(atbash, leet, morse));
    const words = fc
      .array(fc.constantFrom('The', 'a', 'sea', '-', 'is', '5', 'x7', 'e.g.', '$5', '(b', '...'))
      .map((all) => all.join(' '));
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        writing,
        words,
        fc.constantFrom(' ', '', '"', '\n'),
        fc.array(fc.nat(120), { maxLength: 30 }),
        (bytes, write, before, joint, places) => {
          const token = makeCanary(() => bytes);
          const text = `${before}${joint}${write(token)}${joint}${before}`;
          const found = findCanary(text, prepareCanaries([token]));
          if (found === undefined || found.split) return;
          const cuts = [0, ...places.map((place) => place % text.length), text.length];
          cuts.sort((a, b) => a - b);
          const gate = new OutputGate({ canaries: [token] });
          let shown = '';
          for (const [i, at] of cuts.entries())
            shown += gate.push(text.slice(cuts[i - 1] ?? 0, at));
          expect(text.startsWith(shown)).toBe(true);
          expect(shown.length).toBeLessThanOrEqual(found.span.start);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('does not wait for the rest of a sign that a word follows', () => {
    const gate = new OutputGate({ canaries: [canary] });
    expect(gate.push('A list:\n- ')).toBe('A lis');
    expect(gate.push('the first of many words ')).toBe('t:\n- the first of many word');
  });

  it('keeps ordinary words and dashes no longer than they need', () => {
    const gate = new OutputGate({ canaries: [canary] });
    // The last letters may begin an encoding.
    expect(gate.push('The sea - wide - is blue. ')).toContain('The sea - wide - is ');
    expect(gate.push('- 5,1 km.')).toContain('. - ');
  });
});

describe('an index of needles', () => {
  it('finds the first of them, and all that begin there', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'b'), { maxLength: 60 })
      .map((all) => all.join(''));
    const needle = fc
      .array(fc.constantFrom('a', 'b'), { minLength: 6, maxLength: 9 })
      .map((all) => ({ text: all.join('') }));
    fc.assert(
      fc.property(
        fc.uniqueArray(needle, { selector: ({ text }) => text }),
        letters,
        (all, text) => {
          const places = all.map((one) => text.indexOf(one.text)).filter((at) => at !== -1);
          const at = Math.min(...places);
          const needles = all.filter((one) => text.startsWith(one.text, at));
          expect(new NeedleIndex(all).first(text)).toEqual(
            places.length === 0 ? undefined : { at, needles },
          );
        },
      ),
    );
  });
});
