import { mapStrings, type Scenario } from '@pab/model';
import { redact, type SensitiveKind } from './redact.js';
import type { Unit } from './unit.js';

const STRUCTURE = new Set([
  'id',
  'kind',
  'channel',
  'family',
  'taskId',
  'world',
  'tags',
  'source',
  'atlas',
  'owasp',
  'vars',
]);

/** Masks credentials and personal data in a unit; `count` is told each kind and number. */
export function redactUnit(unit: Unit, count: (kind: SensitiveKind, times: number) => void): Unit {
  const mask = (text: string): string => {
    const masked = redact(text);
    for (const [kind, times] of masked.found) count(kind, times);
    return masked.text;
  };
  switch (unit.kind) {
    case 'reject':
      return unit.excerpt === undefined ? unit : { ...unit, excerpt: mask(unit.excerpt) };
    case 'text':
      return {
        ...unit,
        text: { ...unit.text, text: mask(unit.text.text), meta: mapStrings(unit.text.meta, mask) },
      };
    case 'scenario': {
      // The same piece gets the same mask everywhere, so that an oracle still looks for what the texts say.
      const entries = Object.entries(unit.scenario).map(([key, value]) => [
        key,
        STRUCTURE.has(key) ? value : mapStrings(value, mask),
      ]);
      return { ...unit, scenario: Object.fromEntries(entries) as Scenario };
    }
    default:
      return unit satisfies never;
  }
}
