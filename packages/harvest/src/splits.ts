import { HarvestError } from './errors.js';

/** One part of a split: its name and its share of the rows, 0 to 1. */
export interface SplitPart {
  readonly name: string;
  readonly share: number;
}

/** How far shares may be from 1, or percentages from 100 in hundredths: `0.33,0.33,0.33` is meant as thirds. */
const ROUNDING = 0.011;

/**
 * Weights with decimals are shares, of 1 or of 100; whole ones, such as `8` and `2`, may have any sum.
 *
 * @throws HarvestError `bad-option` for shares that leave rows without a part, or give out more than there are.
 */
function checkSum(text: string, weights: readonly number[], total: number): void {
  const shares = !weights.every(Number.isInteger);
  const whole = [1, 100].some((sum) => Math.abs(total / sum - 1) < ROUNDING);
  if (Number.isFinite(total) && (!shares || whole)) return;
  const sum = Number(total.toPrecision(6));
  throw new HarvestError(
    'bad-option',
    `the parts of the split ${JSON.stringify(text)} sum to ${sum}; shares sum to 1, as in train=0.8,test=0.2, and whole weights, as in train=8,test=2, to anything`,
  );
}

/**
 * Reads `train=0.8,dev=0.1,test=0.1`, or whole weights such as `train=8,dev=1,test=1`.
 *
 * @throws HarvestError `bad-option` for what is no list of parts, and for shares that do not sum to 1.
 */
export function parseSplits(text: string): SplitPart[] {
  const parts = text.split(',').map((piece) => {
    const found = /^\s*([A-Za-z][\w-]{0,31})\s*=\s*(\d+(?:\.\d+)?|\.\d+)\s*$/u.exec(piece);
    const weight = Number(found?.[2] ?? 0);
    if (found === null || weight <= 0) {
      throw new HarvestError(
        'bad-option',
        `cannot read the split ${JSON.stringify(piece)}; write it as train=0.8,test=0.2`,
      );
    }
    return { name: found[1] ?? '', weight };
  });
  if (new Set(parts.map(({ name }) => name)).size !== parts.length) {
    throw new HarvestError(
      'bad-option',
      `a part is named twice in the split ${JSON.stringify(text)}`,
    );
  }
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  checkSum(
    text,
    parts.map(({ weight }) => weight),
    total,
  );
  return parts.map(({ name, weight }) => ({ name, share: weight / total }));
}

/** FNV-1a with a last mix, as a number from 0 to 1 (exclusive). */
function uniform(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4_294_967_296;
}

/**
 * The part for a cluster: decided by its name and the seed alone, so all its rows go together, and adding
 * other rows moves none.
 */
export function splitOf(cluster: string, parts: readonly SplitPart[], seed: number): string | null {
  let at = uniform(`${seed}/${cluster}`);
  for (const { name, share } of parts) {
    if (at < share) return name;
    at -= share;
  }
  return parts.at(-1)?.name ?? null;
}
