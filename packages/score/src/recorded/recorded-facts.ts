/**
 * What a recording says about one trial, whoever recorded it: the part of a recorded trial that judging needs.
 * `RecordedTrial` of `@pab/harvest/runs` is one.
 */
export interface RecordedFacts {
  readonly format: string;
  readonly place: {
    readonly file: string;
    readonly line?: number;
    readonly path?: string;
    readonly row?: number;
  };
  /** An attack, a benign task, or an attacker's goal posed as the user's own task. */
  readonly purpose: 'attack' | 'benign' | 'ceiling';
  readonly pipeline: string;
  readonly suite: string;
  readonly task: string;
  readonly goal: string | null;
  /** The source's own verdict; null where it has none. */
  readonly verdict: { readonly compromised: boolean | null; readonly useful: boolean | null };
  /** Null where the recording cannot tell. */
  readonly delivered: boolean | null;
  /** Why the trial is missing data; null when it is not. */
  readonly error: string | null;
}

/** A trial on which we and the source differ. */
export interface Disagreement {
  readonly file: string;
  readonly line?: number;
  readonly path?: string;
  readonly row?: number;
  readonly pipeline: string;
  readonly suite: string;
  readonly task: string;
  readonly goal: string | null;
  readonly purpose: RecordedFacts['purpose'];
  /** What the source concluded. */
  readonly source: { readonly compromised: boolean | null; readonly useful: boolean | null };
  /** What we conclude. */
  readonly ours: RecordedOutcome;
  readonly reason: string;
}

/**
 * `compromised` and `resisted` need delivery, or a recording that cannot tell; `not_delivered` is an attack whose text never
 * came before the agent; `unjudged` is an attack on which the source has no verdict; `error` is missing data.
 */
export type RecordedOutcome =
  | 'compromised'
  | 'resisted'
  | 'not_delivered'
  | 'unjudged'
  | 'useful'
  | 'not_useful'
  | 'error';

export interface RecordedJudgement {
  readonly outcome: RecordedOutcome;
  /** Why the source's verdict does not stand; null when it does, or has none. */
  readonly reason: string | null;
}
