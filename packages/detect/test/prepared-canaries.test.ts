import { describe, expect, it } from 'vitest';
import { PreparedCanaries } from '../src/prepared-canaries.js';
import { Scanner } from '../src/scanner.js';

describe('lists of canaries', () => {
  it('are prepared once while they are in use', () => {
    const prepared = new PreparedCanaries();
    const first = prepared.of(['pbc-7k2m9q']);
    for (let i = 0; i < 200; i += 1) {
      expect(prepared.of([`other-${i}`]).needles[0]?.canary).toBe(`other-${i}`);
      expect(prepared.of(['pbc-7k2m9q'])).toBe(first);
    }
    for (let i = 0; i < 64; i += 1) prepared.of([`other-${i}`]);
    expect(prepared.of(['pbc-7k2m9q'])).not.toBe(first);
    expect(prepared.of(['pbc-7k2m9q'])).toEqual(first);
  });

  it('are told apart by what is in them', () => {
    const scanner = new Scanner();
    const found = (canaries: readonly string[]) =>
      scanner.scanOutput('It is a1b2c3d4.', { canaries }).detections.length;
    expect([['a1b2c3d4'], ['a1b2c3d5'], ['x1y2z3', 'a1b2c3d4'], []].map(found)).toEqual([
      1, 0, 1, 0,
    ]);
  });

  it('that change after a scan are read again', () => {
    const canaries = ['a1b2c3d4'];
    const scanner = new Scanner();
    const found = () => scanner.scanOutput('It is z9y8x7w6.', { canaries }).detections.length;
    expect(found()).toBe(0);
    canaries[0] = 'z9y8x7w6';
    expect(found()).toBe(1);
  });

  it.each([
    ['a decomposed one', 'Grün-Äpfel-Öl-77', (text: string) => text.normalize('NFD')],
    ['one without its accents', 'Grün-Äpfel-Öl-77', () => 'grun apfel ol 77'],
    [
      'one of syllables in their parts',
      '비밀번호-가나다라-77',
      (text: string) => text.normalize('NFD'),
    ],
    [
      'one in capitals of another script',
      'секретное-слово-77',
      (text: string) => text.toUpperCase(),
    ],
  ])('find %s', (_name, canary, write) => {
    const text = `It says ${write(canary)} here.`;
    const [found] = new Scanner().scanOutput(text, { canaries: [canary] }).detections;
    expect(found?.id).toBe('PB-CANARY');
  });
});
