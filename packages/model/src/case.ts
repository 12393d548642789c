import type { Policy, ToolSpec } from './contracts.js';
import type { JsonObject } from './json.js';
import type { Oracle } from './schema/oracle.js';
import type { InjectionPoint, Plan, Scenario } from './schema/scenario.js';
import type { ToolDefinition } from './schema/world.js';

/** Which of the cases that a scenario yields: the attack, the same with benign text in the slots, or a control. */
export type Variant = 'attack' | 'twin' | 'control';

/** A world as it stands before or during a trial. Values are shared between states, never changed in place. */
export interface WorldState {
  readonly now: string;
  readonly state: JsonObject;
  readonly tools: readonly ToolDefinition[];
  /** How many ids were generated so far. */
  readonly ids: number;
}

/** A stretch of text with where it came from, of a prompt or a description. */
export interface CaseText {
  readonly text: string;
  readonly provenance: 'system' | 'user' | 'environment' | 'agent';
  readonly source: string;
}

export interface CaseTurn {
  /** The user's words first; pasted or injected text is a part of its own, with provenance `environment`. */
  readonly parts: readonly CaseText[];
}

export interface CaseSession {
  readonly turns: readonly CaseTurn[];
  /** Tools as they are offered in this session, injected descriptions included. */
  readonly tools: readonly ToolSpec[];
  /** State changes that take place when the session begins (a late injection). */
  readonly set: Readonly<Record<string, string>>;
}

/** Injected text as it stands in this case, for judging; a twin has the benign text here. */
export interface CaseInjection {
  readonly at: InjectionPoint;
  readonly text: string;
}

/** A scenario with its placeholders filled for one trial. Only the harness and the judge see it whole. */
export interface Case {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly trial: number;
  readonly variant: Variant;
  readonly world: WorldState;
  readonly system: readonly CaseText[];
  readonly history: readonly {
    readonly role: 'user' | 'assistant';
    readonly parts: readonly CaseText[];
  }[];
  readonly sessions: readonly CaseSession[];
  readonly injections: readonly CaseInjection[];
  readonly policy: Policy | undefined;
  readonly approves:
    | readonly { readonly tool: string; readonly args?: JsonObject | undefined }[]
    | undefined;
  readonly done: Oracle | undefined;
  readonly compromised: Oracle | undefined;
  readonly reference: {
    readonly ideal?: Plan | undefined;
    readonly obedient?: Plan | undefined;
    readonly quoting?: Plan | undefined;
  };
}
