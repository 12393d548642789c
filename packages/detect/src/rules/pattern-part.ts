const LEAST = 2;
const MOST_IN_GROUP = 400;
/** Case mappings beyond Latin are safe to require one character at a time. */
const WIDE = /[^\0-\u02ff]/;

export interface Word {
  readonly text: string;
  readonly startsWord: boolean;
  endsWord: boolean;
  /** It is the last thing of what has been read, so a `\b` that follows belongs to it. */
  last: boolean;
}

export interface Step {
  words: Word[];
  farthest: number;
  crosses: boolean;
}

/** What a part of a pattern requires, and what it may span besides. */
export interface Part {
  steps: Step[];
  /** Most code units before the first step (of the whole part, if it has none), and after the last. */
  head: { farthest: number; crosses: boolean };
  tail: { farthest: number; crosses: boolean };
  /** Where it ends, a word ends; where the next begins, a word begins. */
  boundary: boolean;
  /** Where it begins, a word ends: nothing of a word comes first. */
  opens: boolean;
  literal?: string;
}

export function span(farthest: number, crosses: boolean): Part {
  return {
    steps: [],
    head: { farthest, crosses },
    tail: { farthest: 0, crosses: false },
    boundary: false,
    opens: false,
  };
}

/** What takes no part of a word, such as a space, or the edge of one. */
export function apart(farthest: number, crosses: boolean): Part {
  return { ...span(farthest, crosses), boundary: true, opens: true };
}

export function literal(text: string): Part {
  return {
    ...span(text.length, false),
    literal: text,
    boundary: endsApart(text),
    opens: endsApart(text.slice(0, 1)),
  };
}

/** Whether a word can begin after a text, as nothing of a word ends it. */
export function endsApart(text: string): boolean {
  return /[\0-\x7f]$/.test(text) && !/\w$/.test(text);
}

export function widest(step: Step): number {
  return step.farthest + Math.max(...step.words.map((word) => word.text.length));
}

/** One step for all branches: of each, the words that are found least often by chance. */
export function joinBranches(branches: readonly Part[]): Part {
  const width = Math.max(
    ...branches.map(
      (branch) =>
        branch.head.farthest +
        branch.tail.farthest +
        branch.steps.reduce((sum, step) => sum + widest(step), 0),
    ),
  );
  const crosses = branches.some(
    (branch) =>
      branch.head.crosses ||
      branch.tail.crosses ||
      branch.steps.some(
        (step) => step.crosses || step.words.some((word) => /[.!?]/.test(word.text)),
      ),
  );
  const boundary = branches.every((branch) => branch.boundary);
  const opens = branches.every((branch) => branch.opens);
  const words: Word[] = [];
  for (const branch of branches) {
    const best = mostTelling(branch.steps);
    if (!best) return { ...span(width, crosses), boundary, opens };
    // Only what ends the branch ends the group.
    const ends = best === branch.steps.at(-1) && branch.tail.farthest === 0;
    words.push(...best.words.map((word) => ({ ...word, last: word.last && ends })));
  }
  if (words.length > MOST_IN_GROUP) return { ...span(width, crosses), boundary, opens };
  const simple = branches.every(
    (branch) =>
      branch.steps.length === 1 &&
      branch.steps[0]?.farthest === 0 &&
      branch.head.farthest === 0 &&
      branch.tail.farthest === 0,
  );
  const around = simple ? { farthest: 0, crosses: false } : { farthest: width, crosses };
  return {
    steps: [{ words, farthest: 0, crosses: false }],
    head: { ...around },
    tail: { ...around },
    boundary,
    opens,
  };
}

export function isTelling(word: string): boolean {
  const bare = word.trim();
  return (
    bare.length >= LEAST ||
    WIDE.test(bare) ||
    /^[^\w\s]{2,}$/.test(bare) ||
    /^[<[{|#`(=*@$\\]/.test(bare)
  );
}

function mostTelling(steps: readonly Step[]): Step | undefined {
  let best: Step | undefined;
  let most = 0;
  for (const step of steps) {
    const shortest =
      Math.min(...step.words.map((word) => word.text.length)) - Math.log2(step.words.length) / 4;
    if (shortest > most) {
      most = shortest;
      best = step;
    }
  }
  return best;
}
