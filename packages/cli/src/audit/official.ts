import type { JsonValue } from '@pab/model';
import type { RunManifest } from '../run/manifest.js';

/** The pinned seed set of official runs: this seed, with trials 0, 1, 2 and so on. */
export const OFFICIAL_SEED = 0;
export const OFFICIAL_TRIALS = 3;
export const OFFICIAL_STEPS = 15;

/** What of a run's settings keeps its numbers from being official. */
export type OfficialSettings = Pick<
  RunManifest,
  'seed' | 'trials' | 'maxSteps' | 'provenance' | 'selection' | 'target'
>;

/** Why a run is not official, one reason a line; empty when it is. */
export function officialProblems(settings: OfficialSettings, bundled: boolean): string[] {
  const { seed, trials, maxSteps, provenance, selection, target } = settings;
  const problems: string[] = [];
  if (!bundled) problems.push('it uses another corpus than the one that this version ships with');
  if (seed !== OFFICIAL_SEED) problems.push(`its seed is ${seed}, not ${OFFICIAL_SEED}`);
  if (trials < OFFICIAL_TRIALS) {
    problems.push(`it has ${trials} trial(s) of each case, not at least ${OFFICIAL_TRIALS}`);
  }
  if (maxSteps !== OFFICIAL_STEPS) {
    problems.push(`its step limit is ${maxSteps}, not ${OFFICIAL_STEPS}`);
  }
  if (provenance !== 'part') problems.push(`its provenance is "${provenance}", not "part"`);
  const filters = Object.entries(selection)
    .filter(([name, value]: readonly [string, JsonValue]) => name !== 'twins' || value !== true)
    .map(([name]) => name);
  if (filters.length > 0) problems.push(`it leaves scenarios or twins out (${filters.join(', ')})`);
  const temperature = Object.hasOwn(target.options, 'temperature')
    ? target.options['temperature']
    : undefined;
  // `none` is for providers that refuse the parameter.
  if (temperature !== undefined && temperature !== 0 && temperature !== 'none') {
    problems.push(`its temperature is ${JSON.stringify(temperature)}, not 0`);
  }
  return problems;
}
