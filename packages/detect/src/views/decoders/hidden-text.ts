import type { ViewNotice } from '../../types.js';
import { LayerBuilder, rawBounds } from '../layer.js';
import { applyEdits, type Decoded, type Edit, type Reading } from '../reading.js';

/** Text that a run of undrawn characters spells; `positions` are units of the source. */
export interface HiddenRun {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly positions: ArrayLike<number>;
}

/** Mean run length under which hidden characters count as strewn between visible ones. */
const STREWN = 3;

/**
 * Shows hidden runs where they stand, set off by spaces; when they are strewn one by one over
 * visible text, shows them alone, put together.
 */
export function showHidden(
  name: string,
  { source }: Reading,
  runs: readonly HiddenRun[],
): Decoded | undefined {
  const total = runs.reduce((sum, run) => sum + run.text.length, 0);
  if (total === 0) return undefined;
  if (runs.length > 2 && total / runs.length < STREWN) {
    const builder = new LayerBuilder();
    for (const run of runs) builder.place(run.text, source, run.positions);
    return { name, layer: builder.finish(), legible: true };
  }
  const edits: Edit[] = runs.map(({ start, end, text, positions }) => ({
    start,
    end,
    text: ` ${text} `,
    positions: between(start, positions, end - 1),
  }));
  return { name, layer: applyEdits(source, edits), legible: true };
}

function between(first: number, positions: ArrayLike<number>, last: number): ArrayLike<number> {
  if (positions.length < SHORT_RUN) return [first, ...Array.from(positions), last];
  const all = new Int32Array(positions.length + 2);
  all[0] = first;
  all.set(positions, 1);
  all[positions.length + 1] = last;
  return all;
}

/** Positions up to which a list is quicker than a typed array. */
const SHORT_RUN = 32;

/** Longest decoded text that a notice quotes, in UTF-16 units. */
const QUOTED = 400;

export function smuggled(
  { source }: Reading,
  what: string,
  runs: readonly HiddenRun[],
): ViewNotice | undefined {
  const [first] = runs;
  const last = runs.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const [start] = rawBounds(source, first.start, first.end);
  const [, end] = rawBounds(source, last.start, last.end);
  let decoded = '';
  for (const run of runs) {
    if (decoded.length >= QUOTED) break;
    decoded += run.text;
  }
  decoded = decoded.slice(0, QUOTED);
  const found = { kind: 'smuggled-text' as const, detail: what, span: { start, end } };
  return decoded === '' ? found : { ...found, decoded };
}

/** As {@link smuggled} and {@link showHidden} for one text strewn over the visible one unit by unit. */
export function strewn(
  name: string,
  what: string,
  reading: Reading,
  { text, positions }: HiddenRun,
): { readonly found: ViewNotice | undefined; readonly shown: Decoded | undefined } {
  const [first = 0, last = 0] = [positions[0], positions[positions.length - 1]];
  const ends = [
    { start: first, end: first + 1, text: text.slice(0, QUOTED), positions },
    { start: last, end: last + 1, text: '', positions: [] },
  ];
  const builder = new LayerBuilder();
  builder.place(text, reading.source, positions);
  return {
    found: smuggled(reading, what, ends),
    shown: { name, layer: builder.finish(), legible: true },
  };
}
