import { describe, expect, it } from 'vitest';
import { ATTACK_SENTENCES, REWRITES, seededNumbers } from '../../src/rewrites/index.js';
import { decoders } from '../../src/views/decoders/decoders.js';
import { rawLayer } from '../../src/views/layer.js';
import { readingOf, rooms } from '../../src/views/node.js';
import type { Reading } from '../../src/views/reading.js';

/** A text as a decoder gets it, by itself. */
function read(text: string): Reading {
  const room = rooms();
  const { taken } = room;
  const reading = readingOf(rawLayer(text));
  room.taken = taken;
  return reading;
}

const EVERYDAY = [
  'Can you help me to write a polite mail about the meeting on Tuesday at 10:30?',
  "It's the dog's - or the cat's - 3rd bowl; see https://example.com/a/b?c=d&e=f#g (or don't).",
  '> quoted line\n> another one\n\n  indented   text with  \ntwo spaces before the break',
  'const a = "x" + "y"; // `z` and \'w\' in {braces} <b>bold</b> **strong** 0x41 #12ab U+0041',
];

describe('what decoders need', () => {
  it('can be told by one bit for each decoder', () => {
    expect(decoders.length).toBeLessThanOrEqual(32);
  });

  it('is there in every text of which a decoder makes anything', () => {
    const random = seededNumbers(11);
    const [first = '', second = ''] = ATTACK_SENTENCES;
    const texts = [...EVERYDAY];
    for (const rewrite of REWRITES) {
      const once = rewrite.apply(first, random);
      texts.push(once, `Hello Anna,\n${rewrite.apply(second, random)}\nThanks, Bob`);
      for (const other of REWRITES) texts.push(other.apply(once, random));
    }
    const missed: string[] = [];
    for (const text of texts) {
      const reading = read(text);
      for (const [i, decoder] of decoders.entries()) {
        const { needs, needsRuns } = decoder;
        if (((reading.traits & needs) | (reading.runs & needsRuns)) !== 0) continue;
        const made = decoder.decode({ ...reading, traits: -1, runs: -1 }, () => {});
        if (made === undefined || ('length' in made && made.length === 0)) continue;
        missed.push(`decoder ${i}: ${text}`);
      }
    }
    expect(missed).toEqual([]);
  });
});
