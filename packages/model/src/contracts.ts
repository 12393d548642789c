import type { JsonObject, JsonSchema, JsonValue } from './json.js';

/** Who wrote a piece of text: the operator, the person asking, the outside world, or the model itself. */
export type Provenance = 'system' | 'user' | 'environment' | 'agent';

/** A piece of text that a model sees, with where it came from. The unit that defenses act on. */
export interface Part {
  readonly text: string;
  readonly provenance: Provenance;
  /** Where it stood, e.g. `read_email#2/body`: tool, number of the call in the trial, JSON pointer. */
  readonly source?: string;
  /**
   * Which leaf of the result's `layout` this text fills. A defense keeps it when it rewrites the
   * text; a part without it is text beside the JSON, before or after it as it stands in the list.
   */
  readonly leaf?: number;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly parts: readonly Part[] }
  | {
      readonly role: 'assistant';
      readonly parts: readonly Part[];
      readonly calls: readonly ToolCall[];
    }
  | ({ readonly role: 'tool' } & ToolResult);

/** A call as a model proposed it. Arguments that are no JSON object are kept in `unparsed`. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly unparsed?: string;
}

/** What a call gave. `renderResult` makes the text that a model reads. */
export interface ToolResult {
  readonly callId: string;
  readonly tool: string;
  /** One part per leaf of the JSON result, in document order; unescaped text. */
  readonly parts: readonly Part[];
  /** The JSON with `{"#": n}` where leaf n stands (see `layoutOf`); absent when the result is bare text. */
  readonly layout?: JsonValue;
  readonly isError: boolean;
}

/** What a tool does to the world: nothing, a change inside, or something that leaves it. */
export type Effect = 'read' | 'write' | 'sink';

export interface ToolSpec {
  readonly name: string;
  /** Parts, because a description can come from an untrusted server. */
  readonly description: readonly Part[];
  /**
   * JSON Schema of the arguments. A tool whose specification comes from outside has
   * `untrustedSchema: true`: the texts in it are then as untrusted as its description.
   */
  readonly parameters: JsonSchema;
  readonly effect: Effect;
  readonly server?: string;
  readonly untrustedSchema?: boolean;
}

/** What the operator allows; given by the scenario, visible to defenses. */
export interface Policy {
  /** Tools that this task needs, as an operator would list them. */
  readonly tools?: readonly string[] | undefined;
}

/** What a target and a defense may see. No id, family, oracle, plan, or mark of which part is injected. */
export interface Task {
  /** The conversation up to and with the user's turn that is to be answered. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Model calls allowed for this turn. */
  readonly maxSteps: number;
  readonly policy?: Policy;
}

export interface Usage {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ChatRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

/** Why a model stopped. `blocked` is the provider's content filter, which is not an error. */
export type ChatStop = 'done' | 'calls' | 'length' | 'blocked';

export interface ChatReply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly stop: ChatStop;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** The model id that the provider reports. */
  readonly modelId?: string;
}

/**
 * One exchange with a model; the agent loop makes an agent of it. Rejects with a `TargetError`
 * when the provider failed (HTTP error, timeout, malformed or empty response).
 */
export interface ChatModel {
  readonly name: string;
  reply(request: ChatRequest, options?: CallOptions): Promise<ChatReply>;
}

/** Where a target's tool calls and model calls go; the defense and the world stand behind it. */
export interface Session {
  /** Performs one call: `onCall`, the world, `onResult`. The result is what the model may see. */
  call(call: ToolCall): Promise<ToolResult>;
  /** The same for calls that a model proposed together, so that `onCalls` sees them as one. */
  callAll(calls: readonly ToolCall[]): Promise<readonly ToolResult[]>;
  /**
   * What a model-driven target must pass its messages through before each model call, and its reply
   * through after it. A black-box agent has no such place: what it does not call is noted.
   */
  beforeModel(messages: readonly Message[]): Promise<readonly Message[]>;
  afterModel(reply: ChatReply): Promise<ChatReply>;
}

/** What a target answered in one turn. */
export interface TargetResult {
  /** The final text of the turn. */
  readonly text: string;
  readonly stop: 'done' | 'max_steps' | 'blocked' | 'halted';
  readonly usage?: Usage;
  readonly modelId?: string;
  /** Messages of this turn (assistant and tool), for the next turn's history; made up from calls and text when absent. */
  readonly messages?: readonly Message[];
}

/** A whole agent: a stack, a command, an HTTP service. Every tool call goes through the session, where the defense stands. */
export interface Target {
  readonly name: string;
  readonly options?: JsonObject;
  run(task: Task, session: Session, options?: CallOptions): Promise<TargetResult>;
}

/** What a defense did, for the transcript. */
export interface DefenseAction {
  readonly defense: string;
  readonly hook: keyof DefenseHooks | 'approve';
  readonly action:
    | 'rewritten'
    | 'blocked'
    | 'redacted'
    | 'flagged'
    | 'asked'
    | 'halted'
    | 'announced';
  readonly reason: string;
}

/** What has happened in this trial so far, as a defense may know it. */
export interface Trail {
  /** The task as the defense returned it from `prepare`. */
  readonly task: Task;
  /** The conversation, with results as the model saw them. */
  readonly messages: readonly Message[];
  /** Calls in order, with what became of them. */
  readonly calls: readonly {
    readonly call: ToolCall;
    readonly performed: boolean;
    readonly result: ToolResult;
  }[];
}

export type Decision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'rewrite'; readonly call: ToolCall; readonly reason: string }
  | { readonly kind: 'block'; readonly reason: string; readonly message?: string }
  /** Ask the (simulated) user; blocked when they say no. */
  | { readonly kind: 'ask'; readonly reason: string };

export type OutputDecision =
  | { readonly kind: 'pass' }
  | { readonly kind: 'rewrite'; readonly text: string; readonly reason: string }
  | { readonly kind: 'block'; readonly reason: string; readonly message?: string };

type Awaitable<T> = T | Promise<T>;

/**
 * Middleware around an agent; each hook is optional and may be async. A hook that has nothing to
 * change returns its argument itself: identity is how the harness knows that nothing was touched.
 */
export interface DefenseHooks {
  /** System prompt, tool registry, first messages. Called before each turn. */
  prepare?(task: Task): Awaitable<Task>;
  /** Sandwich, reminders. Skipped for black-box agents, and said so in the transcript. */
  beforeModel?(messages: readonly Message[], trail: Trail): Awaitable<readonly Message[]>;
  afterModel?(reply: ChatReply, trail: Trail): Awaitable<ChatReply>;
  /** One call; asked for each call that `onCalls` let through. */
  onCall?(call: ToolCall, trail: Trail): Awaitable<Decision>;
  /** All calls of one reply together; one decision each, in order. */
  onCalls?(calls: readonly ToolCall[], trail: Trail): Awaitable<readonly Decision[]>;
  onResult?(result: ToolResult, trail: Trail): Awaitable<ToolResult>;
  onOutput?(text: string, trail: Trail): Awaitable<OutputDecision>;
  /** Asked after every step; a reason ends the trial. */
  halt?(trail: Trail): Awaitable<string | undefined>;
}

/** What a defense gets for one trial. */
export interface DefenseContext {
  /** Seeded for this trial: uniform in [0, 1). Nonces come from here. */
  readonly random: () => number;
  readonly signal?: AbortSignal;
  /** Puts an action into the transcript; the harness adds those that it can see itself. */
  readonly log: (action: Omit<DefenseAction, 'defense'>) => void;
  /** A metered model for defenses that need one; absent when the run has none. */
  readonly model?: ChatModel;
  /** The simulated user; false when the scenario does not say that they would approve. */
  readonly approve: (call: ToolCall) => Promise<boolean>;
}

export interface Defense {
  readonly name: string;
  readonly options?: JsonObject;
  /** One trial's state. */
  open(context: DefenseContext): DefenseHooks;
}

/** What a detector may be looking at. */
export type DetectorScope = 'input' | 'context' | 'output' | 'tool';

export interface DetectorFinding {
  readonly id: string;
  readonly title: string;
  /** UTF-16 range in the text, when the detector knows one. */
  readonly span?: { readonly start: number; readonly end: number };
}

export interface Findings {
  readonly verdict: 'benign' | 'suspicious' | 'malicious';
  /** 0 to 100. */
  readonly score: number;
  readonly findings: readonly DetectorFinding[];
}

/** Text in, findings out. `Scanner` of `@pab/detect` gives one; any classifier can be one. */
export interface Detector {
  readonly name: string;
  detect(text: string, options: { readonly scope: DetectorScope }): Awaitable<Findings>;
}
