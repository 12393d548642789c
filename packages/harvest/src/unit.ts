import type { Scenario, World } from '@pab/model';
import type { Place, RejectedRow } from './row.js';

export type Label = 'attack' | 'benign';

/** A text with its label. `null`: the source does not say whether it is an injection; `reason` tells why. */
export interface LabelledText {
  /** `<source>/<file>/<number>`; stable as long as the file is. */
  readonly id: string;
  readonly text: string;
  readonly label: Label | null;
  readonly source: string;
  readonly licence?: string;
  readonly reason?: string;
  /** What else the source says, as JSON. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface TextUnit {
  readonly kind: 'text';
  readonly text: LabelledText;
  readonly place: Place;
  readonly notes?: readonly string[];
}

export interface ScenarioUnit {
  readonly kind: 'scenario';
  readonly scenario: Scenario;
  readonly world: World;
  readonly place: Place;
  readonly notes?: readonly string[];
}

/** One unit of a source, after expansion. */
export type Unit = TextUnit | ScenarioUnit | RejectedRow;
