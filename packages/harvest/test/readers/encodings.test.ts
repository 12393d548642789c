import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, invalidByte } from '../../src/readers/decode-text.js';
import { collect, read, rejectsOf, rowsOf } from '../reading.js';

function utf16(text: string, big: boolean, mark = true): Uint8Array {
  const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');
  return big ? bytes.swap16() : bytes;
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('encodings', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeff"größe"\n"二"\n')],
    ['UTF-16LE', utf16('"größe"\n"二"\n', false)],
    ['UTF-16BE', utf16('"größe"\n"二"\n', true)],
    ['UTF-16LE without a mark', utf16('"größe"\n"二"\n', false, false)],
  ])('reads %s', async (_name, bytes) => {
    expect(rowsOf(await read('a.jsonl', bytes))).toEqual(['größe', '二']);
  });

  it.each(['a.jsonl', 'a.txt', 'a.csv'])(
    'refuses only the row with bytes that are not UTF-8: %s',
    async (name) => {
      const bytes = Buffer.concat([
        Buffer.from('"text"\n"one"\n"tw'),
        Buffer.from([0xe9]),
        Buffer.from('o"\n"three"\n'),
      ]);
      const items = await read(name, bytes, { header: true });
      expect(rejectsOf(items)).toEqual([`${name}:3: not UTF-8: byte 0xe9`]);
      expect(rowsOf(items)).toHaveLength(name === 'a.csv' ? 2 : 3);
    },
  );

  it('decodes any text the same, however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        async (text, size) => {
          const bytes = Buffer.from(text, 'utf8');
          expect((await collect(decodeText(pieces(bytes, size), 'utf-8'))).join('')).toBe(
            bytes.toString('utf8'),
          );
        },
      ),
    );
  });

  it('loses no byte of what is not UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        async (bytes, size) => {
          const text = (await collect(decodeText(pieces(bytes, size), 'utf-8'))).join('');
          const back = Buffer.concat(
            Array.from(text, (char) => {
              const byte = invalidByte(char);
              return byte === null ? Buffer.from(char) : Buffer.from([byte]);
            }),
          );
          expect([...back]).toEqual([...bytes]);
        },
      ),
    );
  });
});
