/** A way to hide a sentence that a model can still read. */
export interface Rewrite {
  readonly name: string;
  /** What it does, with its parameters; stands in the table. */
  readonly parameters: string;
  /** `random` gives numbers from 0 up to 1; the same numbers give the same text. */
  apply(text: string, random: () => number): string;
}
