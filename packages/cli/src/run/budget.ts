import type { Trial } from '@pab/score';
import { CliError } from '../errors.js';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** What a run may use up, and what it has. */
export interface Budget {
  spend(trial: Trial): void;
  /** US dollars so far; null when no price is known. */
  cost(): number | null;
  /** Which limit was reached, in words; undefined while there is some left. */
  exhausted(): string | undefined;
}

export function createBudget({
  maxTokens,
  maxCost,
  price,
}: {
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly price?: Price | undefined;
}): Budget {
  if (maxCost !== undefined && price === undefined) {
    throw new CliError(
      '--max-cost needs --prices FILE with the price of this target, or nothing can be counted',
    );
  }
  let input = 0;
  let output = 0;
  const cost = (): number | null =>
    price === undefined ? null : (input * price.input + output * price.output) / 1_000_000;
  return {
    spend: ({ usage }) => {
      input += usage.inputTokens;
      output += usage.outputTokens;
    },
    cost,
    exhausted: () => {
      if (maxTokens !== undefined && input + output >= maxTokens)
        return `--max-tokens ${maxTokens} was reached`;
      const spent = cost();
      if (maxCost !== undefined && spent !== null && spent >= maxCost)
        return `--max-cost ${maxCost} was reached`;
      return undefined;
    },
  };
}

/** Prices by target name, from a JSON file `{"name": {"input": 0.15, "output": 0.6}}` in US dollars for a million tokens. */
export function parsePrices(text: string, file: string): Map<string, Price> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CliError(`${file} is not JSON`, { cause });
  }
  const prices = new Map<string, Price>();
  for (const [name, price] of Object.entries(value as Record<string, unknown>)) {
    const { input, output } = (price ?? {}) as Record<string, unknown>;
    if (typeof input !== 'number' || typeof output !== 'number' || input < 0 || output < 0) {
      throw new CliError(
        `${file}: the price of "${name}" needs "input" and "output", dollars for a million tokens`,
      );
    }
    prices.set(name, { input, output });
  }
  return prices;
}
