import type { Condition } from './condition.js';
import type { Rule, Selection } from './rule.js';

/** A condition made ready: patterns by their index, and what takes matches of them away. */
export type Ready =
  | {
      readonly kind: 'selection';
      readonly indices: readonly number[];
      /** 1 at each of them, to be asked for one. */
      readonly has: Uint8Array;
      readonly all: boolean;
      readonly exclude: readonly string[];
    }
  | { readonly kind: 'or' | 'and'; readonly parts: readonly Ready[] };

function selectionOf(rule: Rule, name: string): Selection {
  return (
    (Object.hasOwn(rule.detection.selections, name)
      ? rule.detection.selections[name]
      : undefined) ?? {
      patterns: [],
      all: false,
    }
  );
}

function flagsOf(indices: readonly number[]): Uint8Array {
  const flags = new Uint8Array(Math.max(0, ...indices) + 1);
  for (const index of indices) flags[index] = 1;
  return flags;
}

/** A condition with its patterns by index, and with all that takes matches away at each selection. */
export function readyOf(
  rule: Rule,
  condition: Condition,
  exclude: readonly string[],
  indexOf: (pattern: string) => number,
): Ready {
  if (condition.kind === 'selection') {
    const { patterns, all } = selectionOf(rule, condition.name);
    const indices = patterns.map(indexOf);
    return { kind: 'selection', indices, has: flagsOf(indices), all, exclude };
  }
  if (condition.kind === 'or') {
    const parts = condition.any.map((part) => readyOf(rule, part, exclude, indexOf));
    return { kind: 'or', parts };
  }
  const inner = [...condition.not.flatMap((name) => selectionOf(rule, name).patterns), ...exclude];
  return { kind: 'and', parts: condition.all.map((part) => readyOf(rule, part, inner, indexOf)) };
}

export function indicesOf(ready: Ready): readonly number[] {
  return ready.kind === 'selection' ? ready.indices : ready.parts.flatMap(indicesOf);
}
