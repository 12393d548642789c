import { defenseContract } from '@pab/model/testing';
import { describe, expect, it } from 'vitest';
import { compose, defenseFrom, defenses, SPOTLIGHT_MODES, spotlight } from '../src/index.js';

const all = [
  ...Object.keys(defenses).map((name) => defenseFrom(name)),
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
