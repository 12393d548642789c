/**
 * The part of `@pab/detect` that the examples use. `new Scanner(…)` is a {@link TextScanner}, and
 * `new OutputGate(…)` a {@link ReplyGate}; both come in as arguments, so that the examples run on their own.
 */
export interface Scan {
  readonly verdict: 'benign' | 'suspicious' | 'malicious';
  readonly score: number;
  readonly detections: readonly { readonly id: string }[];
}

export interface TextScanner {
  /** For what a user wrote. */
  scan(text: string): Scan;
  /** For what a tool or a page says. */
  scanContext(text: string): Scan;
}

export interface ReplyGate {
  /** Takes a piece of a reply and gives what may be shown of it. */
  push(piece: string): string;
  /** Gives the rest that may be shown, and the verdict on the whole. */
  end(): { readonly text: string; readonly result: Scan };
}

export interface Guards {
  readonly scanner: TextScanner;
  /** A new gate for each reply. */
  readonly gate: () => ReplyGate;
  /** Told of every text that is not benign, for the log. Never the text itself. */
  readonly report?: (where: 'input' | 'context' | 'output', scan: Scan) => void;
}

/** A prompt that is not passed on. */
export class PromptRejected extends Error {
  override readonly name = 'PromptRejected';
  readonly scan: Scan;

  constructor(scan: Scan) {
    super('The prompt was rejected as an injection.');
    this.scan = scan;
  }
}

export const WITHHELD = '[This part was withheld: it looked like an injection or a leak.]';
