import type { CaseText } from '../case.js';
import type { Provenance } from '../contracts.js';
import { PAYLOAD_SLOT } from './fill-vars.js';

/** Text from elsewhere that stands in a longer text, in place of its `{{payload}}` or after it. */
export interface Inserted {
  readonly text: string;
  readonly provenance: Provenance;
}

/** Puts an injected string where `{{payload}}` stands in a string of the world; the whole of it otherwise. */
export function placeInText(held: string, inserted: string): string {
  const placed = held.replace(PAYLOAD_SLOT, () => inserted);
  return placed === held ? inserted : placed;
}

/**
 * Splits a text around its `{{payload}}`, so that the inserted text is a part of its own. Without a slot it follows after a blank
 * line. An empty insertion leaves no part and no blank line.
 */
export function placeAsPart(outer: CaseText, inserted: Inserted | undefined): CaseText[] {
  const [before = '', ...rest] = outer.text.split(PAYLOAD_SLOT);
  const after = rest.join('');
  if (inserted === undefined) return [{ ...outer, text: before + after }];
  const slot = rest.length > 0;
  const part: CaseText = {
    text: inserted.text,
    provenance: inserted.provenance,
    source: `${outer.source}/inserted`,
  };
  if (inserted.text === '') return [{ ...outer, text: before + after }];
  if (!slot) return [{ ...outer, text: `${outer.text}\n\n` }, part];
  return [{ ...outer, text: before }, part, { ...outer, text: after }].filter(
    ({ text }) => text !== '',
  );
}
