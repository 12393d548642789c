import type { Detector } from '@pab/model';
import { defenseContract } from '@pab/model/testing';
import { describe, expect, it } from 'vitest';
import {
  compose,
  type DefenseResources,
  defenseFrom,
  defenses,
  SPOTLIGHT_MODES,
  spotlight,
} from '../src/index.js';

const detector: Detector = {
  name: 'words',
  detect: (text) =>
    text.includes('ignore')
      ? { verdict: 'malicious', score: 80, findings: [{ id: 'W-1', title: 'ignore' }] }
      : { verdict: 'benign', score: 0, findings: [] },
};
const resources: DefenseResources = {
  detector,
  fetch: () =>
    Promise.resolve({ ok: true, status: 200, text: () => Promise.resolve('{"flagged": true}') }),
};

const all = [
  ...Object.keys(defenses).map((name) =>
    defenseFrom(name, name === 'http-guard' ? { url: 'https://guard.example/v1' } : {}, resources),
  ),
  ...SPOTLIGHT_MODES.map((mode) => spotlight({ mode })),
  compose(defenseFrom('filter'), defenseFrom('allowlist'), defenseFrom('sandwich')),
  compose(),
];

describe.each(
  all.map(
    (defense) => [`${defense.name} ${JSON.stringify(defense.options ?? {})}`, defense] as const,
  ),
)('the contract of %s', (_name, defense) => {
  it.each(defenseContract(defense).map((check) => [check.name, check] as const))(
    '%s',
    async (_check, check) => {
      await expect(check.run()).resolves.toBeUndefined();
    },
  );
});
