import type { Scope } from '../types.js';

/** A text and what it is, as a set says. */
export interface LabelledText {
  readonly id: string;
  readonly text: string;
  readonly attack: boolean;
  /** Where the text would come in; decides which checks apply. */
  readonly scope: Scope;
  /** ISO 639 code; guessed from the text where it is left out. */
  readonly language?: string;
}
