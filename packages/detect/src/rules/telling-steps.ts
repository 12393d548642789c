import { lazily } from '../views/character-classes.js';
import { COMMON } from '../views/words.js';
import {
  type GroupCache,
  type RequiredStep,
  type RequiredWord,
  requiredWords,
} from './required-words.js';

/** How often words stand in ordinary texts, against one that rarely does. */
const WEIGHT = { rare: 1, common: 60, everywhere: 600 } as const;
/** Longest stretch that may be given up at the beginning of a match. */
const MOST_AHEAD = 96;
/** Steps of an alternative that are looked for. */
const MOST_STEPS = 3;

/** Words of three letters and more that nearly every text of some length holds. */
const EVERYWHERE = 'the and for was with ing her his but had its than them then';

const common: () => ReadonlySet<string> = lazily(() => new Set(COMMON.split(/\s+/u)));
const everywhere: () => ReadonlySet<string> = lazily(() => new Set(EVERYWHERE.split(/\s+/u)));

/** Words of two letters that stand in texts as words of their own. */
const SHORT = 'am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we';

const short: () => ReadonlySet<string> = lazily(() => new Set(SHORT.split(/\s+/u)));

/** How much a required word costs as something to look for: the more often it stands in texts, the more. */
function weightOf({ text, startsWord, endsWord }: RequiredWord): number {
  const word = text.trim();
  // Letters of other scripts tell as much as several of Latin.
  if (/[\u0250-\u{10ffff}]/u.test(word)) return WEIGHT.rare;
  // Signs stand in addresses, lists and drawn lines.
  if (!/[\p{L}\p{N}]/u.test(word)) return WEIGHT.common;
  if (everywhere().has(word)) return WEIGHT.everywhere;
  if (word.length < 3) {
    const parted = startsWord || text.startsWith(' ');
    if (word.length < 2 || !parted || short().has(word)) return WEIGHT.everywhere;
    return endsWord || text.endsWith(' ') ? WEIGHT.rare : WEIGHT.common;
  }
  return word.length === 3 || common().has(word) ? WEIGHT.common : WEIGHT.rare;
}

/** A step, with how often one of its words is found in ordinary texts; higher is more often. */
export interface TellingStep extends RequiredStep {
  readonly weight: number;
}

/** Gives the weight of a word. */
type Weigh = (word: RequiredWord) => number;

/** Weighs each word once, as words stand in many patterns. */
function weigher(): Weigh {
  const known = new Map<string, number>();
  return (word) => {
    const key = `${word.text}${word.startsWord ? '<' : '-'}${word.endsWord ? '>' : '-'}`;
    let weight = known.get(key);
    if (weight === undefined) {
      weight = weightOf(word);
      known.set(key, weight);
    }
    return weight;
  };
}

function weightOfStep({ words }: RequiredStep, weigh: Weigh): number {
  return words.reduce((sum, word) => sum + weigh(word), 0);
}

function widest(words: readonly RequiredWord[]): number {
  return words.reduce((most, { text }) => Math.max(most, text.length), 0);
}

/** What a step takes up with what may stand before it. */
function room({ words, farthest }: RequiredStep): number {
  return farthest + widest(words);
}

/**
 * Gives the steps of patterns that are worth looking for, one list for each alternative; none for a pattern that has to
 * be tried everywhere, see `requiredWords`.
 */
export function tellingWords(
  cache: GroupCache = new Map(),
): (pattern: string) => readonly (readonly TellingStep[])[] {
  const weigh = weigher();
  return (pattern) =>
    requiredWords(pattern, cache).map((steps) =>
      tellingSteps(steps, weigh).map((step) => ({
        ...step,
        weight: weightOfStep(step, weigh),
      })),
    );
}

/**
 * The steps that are worth looking for: the {@link MOST_STEPS} that ordinary texts hold a word of least often, the last of
 * them if not nearly every text does. The others tell nothing beside these; what they took up is added to the distance
 * between those that are left.
 */
function tellingSteps(steps: readonly RequiredStep[], weigh: Weigh): readonly RequiredStep[] {
  if (steps.length < 2) return steps;
  const weights = steps.map((step) => weightOfStep(step, weigh));
  const order = weights.map((_, k) => k).toSorted((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0));
  const tells = weights.map(() => false);
  order.slice(0, MOST_STEPS).forEach((k, place) => {
    tells[k] = place < 2 || (weights[k] ?? 0) < WEIGHT.everywhere;
  });
  // A match is looked for only so far before its first word; how far it goes on after the last one does not matter.
  const first = tells.indexOf(true);
  const before = steps.slice(0, first).reduce((sum, step) => sum + room(step), 0);
  if (before + (steps[first]?.farthest ?? 0) > MOST_AHEAD) tells[0] = true;
  const kept: RequiredStep[] = [];
  let skipped = 0;
  let crossed = false;
  steps.forEach((step, k) => {
    const farthest = skipped + step.farthest;
    const crosses = crossed || step.crosses;
    if (tells[k] === true) {
      kept.push({ words: step.words, farthest, crosses });
      skipped = 0;
      crossed = false;
    } else {
      skipped += room(step);
      crossed = crosses || step.words.some(({ text }) => /[.!?]/u.test(text));
    }
  });
  return kept;
}
