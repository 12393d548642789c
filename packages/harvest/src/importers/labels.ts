import type { Label } from '../unit.js';

const ATTACK = new Set([
  '1',
  '1.0',
  'true',
  'yes',
  'y',
  'attack',
  'injection',
  'inject',
  'injected',
  'prompt_injection',
  'malicious',
  'jailbreak',
  'positive',
  'unsafe',
  'adversarial',
  'poisoned',
  'prompt-injection',
  'label_1',
]);
const BENIGN = new Set([
  '0',
  '0.0',
  'false',
  'no',
  'n',
  'benign',
  'safe',
  'legit',
  'legitimate',
  'normal',
  'clean',
  'negative',
  'ham',
  'none',
  'harmless',
  'label_0',
]);

export function labelText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value).toLowerCase();
  return null;
}

/**
 * What a label of a detection set means. With `positive`, those values are attacks and all others benign; without it, the
 * usual words and 0/1 are known and anything else is null, which is refused rather than guessed.
 */
export function readLabel(value: unknown, positive: readonly string[] | undefined): Label | null {
  const text = labelText(value);
  if (text === null || text === '') return null;
  if (positive !== undefined) {
    return positive.some((one) => one.trim().toLowerCase() === text) ? 'attack' : 'benign';
  }
  if (ATTACK.has(text)) return 'attack';
  return BENIGN.has(text) ? 'benign' : null;
}
