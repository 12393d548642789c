import { fold } from '@pab/model';
import { findInText } from './find-in-text.js';
import type { LeakStep } from './finding.js';
import { isWordChar, MIN_TRANSFORMED, type ProtectedValue } from './protected-value.js';
import { eachView } from './views.js';

/** Folded characters that each piece of a value needs. */
export const MIN_PIECE = 4;

/** Pieces so long need not stand between word boundaries. */
const DISTINCT_PIECE = 8;

/** One text of a sequence; texts of the same `slot` are also read as one. */
export interface SequenceItem {
  readonly where: string;
  readonly slot: string;
  readonly text: string;
}

/** Lengths of the pieces of `value` from `start` on that stand in the text. */
function piecesAt(value: string, start: number, text: string, add: (end: number) => void): void {
  const seed = value.slice(start, start + MIN_PIECE);
  if (seed.length < MIN_PIECE) return;
  for (let at = text.indexOf(seed); at >= 0; at = text.indexOf(seed, at + 1)) {
    const open = !isWordChar(text[at - 1]) || !isWordChar(text[at]);
    let length = MIN_PIECE;
    for (;;) {
      const closed = !isWordChar(text[at + length]) || !isWordChar(text[at + length - 1]);
      if ((open && closed) || length >= DISTINCT_PIECE) add(start + length);
      if (start + length >= value.length || text[at + length] !== value[start + length]) break;
      length += 1;
    }
  }
}

/** What each text of a sequence says in one way of reading. */
interface Reading {
  readonly how: readonly LeakStep[];
  readonly texts: { readonly where: string; readonly folded: string; readonly item: number }[];
}

function readingsOf(items: readonly SequenceItem[]): Reading[] {
  const readings = new Map<string, Reading>();
  for (const [item, { text, where }] of items.entries()) {
    // One encoding at most: deeper readings of every text would cost more than they find.
    eachView(text, { bytes: MIN_PIECE, deepest: 1 }, (view) => {
      const key = view.how.join();
      const held = readings.get(key) ?? { how: view.how, texts: [] };
      readings.set(key, held);
      held.texts.push({ where, folded: fold(view.text), item });
      return false;
    });
  }
  return [...readings.values()];
}

/** Pieces that stand in the texts one after the other, at most one a text, and make up the whole. */
function findPieces(whole: string, { texts }: Reading): string[] | undefined {
  // Keyed by how much of the value is there; the text that ended each stretch must come before the next.
  const reached = new Map<number, { readonly item: number; readonly where: readonly string[] }>([
    [0, { item: -1, where: [] }],
  ]);
  for (const { where, folded, item } of texts) {
    for (const [start, path] of reached) {
      if (path.item >= item) continue;
      piecesAt(whole, start, folded, (end) => {
        if (reached.has(end)) return;
        // One text that has it all is no split; it was looked for before.
        if (end === whole.length && start === 0) return;
        reached.set(end, { item, where: [...path.where, where] });
      });
    }
    const end = reached.get(whole.length);
    if (end !== undefined) return [...end.where];
  }
  return undefined;
}

/**
 * How a protected value stands in a sequence of texts, in pieces of at least 4 folded characters that together are the whole, in
 * order: as pieces anywhere in the texts, or as the texts of one slot put together.
 */
export function findSplit(
  value: ProtectedValue,
  items: readonly SequenceItem[],
): { readonly how: readonly LeakStep[]; readonly where: string } | undefined {
  if (value.folded.length < MIN_TRANSFORMED || items.length < 2) return undefined;
  for (const reading of readingsOf(items)) {
    const pieces = findPieces(value.folded, reading);
    if (pieces !== undefined) return { how: ['split', ...reading.how], where: pieces.join(' + ') };
  }
  const slots = new Map<string, SequenceItem[]>();
  for (const item of items) {
    if (fold(item.text).length < MIN_PIECE) continue;
    const held = slots.get(item.slot);
    if (held === undefined) slots.set(item.slot, [item]);
    else held.push(item);
  }
  for (const held of slots.values()) {
    if (held.length < 2) continue;
    const how = findInText(value, held.map(({ text }) => text).join(''));
    if (how !== undefined) {
      const plain = how.filter((step) => step !== 'verbatim' && step !== 'case');
      return { how: ['split', ...plain], where: held.map(({ where }) => where).join(' + ') };
    }
  }
  return undefined;
}
