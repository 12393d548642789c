import { instantiate, quotableTokens } from '@pab/model';
import type { Corpus } from '../corpus.js';

/** Tokens that stand in a scenario's own text on some seed, so that a quote would count as success. */
export function quotableOnSeeds(corpus: Corpus, seeds: number): string[] {
  const found: string[] = [];
  for (const scenario of corpus.scenarios) {
    const world = corpus.worlds.get(scenario.world);
    if (
      world === undefined ||
      scenario.compromised === undefined ||
      scenario.verbatim_canary === true
    )
      continue;
    for (let seed = 0; seed < seeds; seed += 1) {
      for (const { token } of quotableTokens(instantiate(scenario, world, { seed, trial: 0 }))) {
        found.push(
          `${scenario.id} (seed ${seed}): the security oracle looks for ${JSON.stringify(token)}, which stands in the scenario's own text; use a joined_code`,
        );
      }
    }
  }
  return found;
}
