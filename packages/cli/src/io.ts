interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Everything that a command takes from its surroundings; tests pass their own. */
export interface Io {
  /** Data. */
  readonly stdout: TextStream;
  /** Words and progress. */
  readonly stderr: TextStream;
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => Date;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
  readonly setExit: (code: ExitStatus) => void;
  /** Aborted by Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** 0 it held · 1 it did not hold · 2 could not ask · 3 done, but incomplete · 130 interrupted. */
export type ExitStatus = 0 | 1 | 2 | 3 | 130;
