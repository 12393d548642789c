import {
  applyCall,
  type Case,
  type ChatReply,
  type Decision,
  type Defense,
  type DefenseAction,
  type DefenseHooks,
  type Message,
  type ModelEntry,
  type OutputDecision,
  type OutputEntry,
  type Session,
  type Task,
  type ToolCall,
  type ToolResult,
  type Trail,
  type TranscriptEntry,
  type Usage,
  type WorldState,
} from '@pab/model';
import { checkedCalls } from './check-target.js';
import { flatResult, throughFlatMessages, throughFlatTask } from './flatten.js';
import { assistantMessage, hasSystemText, sameMessage, systemLength } from './messages.js';
import { settleDecision } from './settle-decision.js';

/** Thrown into a target whose trial is over; what the target makes of it no longer matters. */
class TrialEnded extends Error {
  override readonly name = 'TrialEnded';
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

export interface SessionOptions {
  readonly case: Case;
  readonly defense: Defense | undefined;
  readonly hooks: DefenseHooks;
  readonly provenance: 'part' | 'message';
  readonly digest: (value: unknown) => string;
  readonly approve: (call: ToolCall) => Promise<boolean>;
  /** The target is one of ours, whose calls need no checking. */
  readonly trusted: boolean;
}

type Open<T> = { -readonly [Key in keyof T]: T[Key] };
type Request = Pick<ModelEntry, 'request' | 'edits' | 'actions'>;

/**
 * One trial's world, defense and transcript. Calls are performed one after the other, in the order in which they came, so
 * that a target that sends several at once gets the same world every time.
 */
export class TrialSession implements Session {
  readonly entries: TranscriptEntry[] = [];
  world: WorldState;
  /** Why the trial ended inside the session. */
  ended: 'halted' | 'max_steps' | undefined;
  /** What a defense threw: its failure, not the target's. */
  defenseFailure: Error | undefined;
  modelHooksUsed = false;
  announced = false;
  usage: Open<Usage> = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };
  modelId: string | undefined;
  /** Results as they were seen, over the whole trial. */
  readonly seenResults: ToolResult[] = [];
  /** Requests as `beforeModel` left them; the last one of each turn holds all before it. */
  lastRequest: readonly Message[] | undefined;

  readonly #options: SessionOptions;
  readonly #hooks: DefenseHooks;
  readonly #flat: boolean;
  #trail: { task: Task; messages: Message[]; calls: Open<Trail['calls'][number]>[] };
  #actions: DefenseAction[] = [];
  #pending: Request | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #callNumber = 0;
  #steps = 0;
  #promptLength = 0;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#hooks = options.hooks;
    this.#flat = options.provenance === 'message';
    this.world = options.case.world;
    this.#trail = { task: { messages: [], tools: [], maxSteps: 0 }, messages: [], calls: [] };
  }

  get messages(): readonly Message[] {
    return this.#trail.messages;
  }

  get hasModelHooks(): boolean {
    return this.#hooks.beforeModel !== undefined || this.#hooks.afterModel !== undefined;
  }

  /** What was said and done in this turn so far, as the target saw it. */
  get turnMessages(): readonly Message[] {
    return this.#trail.messages.slice(this.#promptLength);
  }

  /** From here on nothing more is performed, whatever a late target still asks for. */
  close(): void {
    this.#closed = true;
  }

  log(action: Omit<DefenseAction, 'defense'>): void {
    this.#actions.push({ defense: this.#options.defense?.name ?? 'none', ...action });
  }

  /** Begins a turn: lets the defense prepare the task, and writes it down. */
  async begin(task: Task, session: number, turn: number): Promise<Task> {
    this.#steps = 0;
    this.#pending = undefined;
    this.lastRequest = undefined;
    const hooks = this.#hooks;
    let prepared = task;
    if (hooks.prepare !== undefined) {
      const run = async (given: Task): Promise<Task> => (await hooks.prepare?.(given)) ?? given;
      prepared = await this.#guard(() => (this.#flat ? throughFlatTask(task, run) : run(task)));
      this.#note(prepared !== task, 'prepare', 'the prompt or the tools were changed');
    }
    this.announced ||= this.#announces(prepared, task);
    this.#trail.task = prepared;
    this.#trail.messages = [...prepared.messages];
    this.#promptLength = prepared.messages.length;
    this.entries.push({
      type: 'prompt',
      session,
      turn,
      messages: prepared.messages,
      tools: prepared.tools,
      untouched: prepared === task,
      actions: this.#take(),
    });
    return prepared;
  }

  async beforeModel(messages: readonly Message[]): Promise<readonly Message[]> {
    this.#assertOpen();
    this.modelHooksUsed = true;
    const hooks = this.#hooks;
    let seen = messages;
    if (hooks.beforeModel !== undefined) {
      const run = async (given: readonly Message[]): Promise<readonly Message[]> =>
        (await hooks.beforeModel?.(given, this.#trail)) ?? given;
      seen = await this.#guard(() =>
        this.#flat ? throughFlatMessages(messages, run) : run(messages),
      );
      this.#note(seen !== messages, 'beforeModel', 'the messages were changed');
    }
    const edits: { index: number; message: Message }[] = [];
    for (const [index, message] of seen.entries()) {
      if (!sameMessage(this.#trail.messages[index], message)) edits.push({ index, message });
    }
    this.lastRequest = seen;
    const request = this.#options.digest({ messages: seen, tools: this.#trail.task.tools });
    this.#pending = { request, edits, actions: this.#take() };
    return seen;
  }

  async afterModel(reply: ChatReply): Promise<ChatReply> {
    this.#assertOpen();
    const hooks = this.#hooks;
    let seen = reply;
    if (hooks.afterModel !== undefined) {
      seen = await this.#guard(async () => (await hooks.afterModel?.(reply, this.#trail)) ?? reply);
      this.#note(seen !== reply, 'afterModel', 'the reply was changed');
    }
    this.count(reply.usage);
    this.modelId = reply.modelId ?? this.modelId;
    this.entries.push({
      type: 'model',
      request: this.#pending?.request ?? '',
      edits: this.#pending?.edits ?? [],
      text: reply.text,
      ...(seen.text === reply.text ? {} : { seenText: seen.text }),
      calls: reply.calls,
      stop: reply.stop,
      actions: [...(this.#pending?.actions ?? []), ...this.#take()],
    });
    this.#pending = undefined;
    this.#trail.messages.push(assistantMessage(seen.text, seen.calls));
    return seen;
  }

  /** Counts one model call, of the target or of a defense. */
  count(usage: ChatReply['usage']): void {
    this.usage.modelCalls += 1;
    this.usage.inputTokens += usage?.inputTokens ?? 0;
    this.usage.outputTokens += usage?.outputTokens ?? 0;
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const [result] = await this.callAll([call]);
    if (result === undefined) throw new TrialEnded('the trial is over');
    return result;
  }

  callAll(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    const next = this.#queue.then(() =>
      this.#performAll(this.#options.trusted ? calls : checkedCalls(calls)),
    );
    this.#queue = next.catch(() => {});
    return next;
  }

  /** Ends a turn: what the user receives. */
  async output(text: string, session: number, turn: number): Promise<string> {
    const hooks = this.#hooks;
    let seen = text;
    if (hooks.onOutput !== undefined) {
      const decision = await this.#guard(
        async (): Promise<OutputDecision> =>
          (await hooks.onOutput?.(text, this.#trail)) ?? { kind: 'pass' },
      );
      if (decision.kind === 'rewrite') {
        seen = decision.text;
        this.log({ hook: 'onOutput', action: 'rewritten', reason: decision.reason });
      } else if (decision.kind === 'block') {
        seen = decision.message ?? 'The reply was withheld.';
        this.log({ hook: 'onOutput', action: 'blocked', reason: decision.reason });
      }
    }
    const entry: OutputEntry = {
      type: 'output',
      session,
      turn,
      text,
      seen,
      actions: this.#take(),
    };
    this.entries.push(entry);
    return seen;
  }

  async #performAll(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    this.#assertOpen();
    // A black-box agent has no model calls that could be counted; its steps are its calls.
    this.#steps += 1;
    if (this.#steps > this.#trail.task.maxSteps) {
      this.ended = 'max_steps';
      throw new TrialEnded('the step limit is reached');
    }
    if (this.entries.at(-1)?.type !== 'model') {
      this.#trail.messages.push(assistantMessage('', calls));
    }
    const hooks = this.#hooks;
    const decisions =
      hooks.onCalls === undefined
        ? NONE
        : await this.#guard(async () => (await hooks.onCalls?.(calls, this.#trail)) ?? NONE);
    const results: ToolResult[] = [];
    for (const [index, call] of calls.entries()) {
      results.push(await this.#perform(call, decisions[index]));
    }
    await this.#halt();
    return results;
  }

  async #perform(proposed: ToolCall, batched: Decision | undefined): Promise<ToolResult> {
    this.#assertOpen();
    this.#callNumber += 1;
    let effective: ToolCall | undefined = proposed;
    let message = '';
    const settle = async (
      hook: 'onCall' | 'onCalls',
      call: ToolCall,
      decision: Decision,
    ): Promise<ToolCall | undefined> => {
      const settled = await this.#guard(() =>
        settleDecision(hook, call, decision, {
          approve: this.#options.approve,
          log: (action) => {
            this.log(action);
          },
        }),
      );
      if (typeof settled !== 'string') return settled;
      message = settled;
      return undefined;
    };
    if (batched !== undefined) effective = await settle('onCalls', effective, batched);
    const hooks = this.#hooks;
    if (effective !== undefined && hooks.onCall !== undefined) {
      const call = effective;
      const decision = await this.#guard(
        async (): Promise<Decision> =>
          (await hooks.onCall?.(call, this.#trail)) ?? { kind: 'allow' },
      );
      effective = await settle('onCall', call, decision);
    }
    // The trial may have ended while the defense was thinking.
    this.#assertOpen();
    let raw: ToolResult | null = null;
    let seen: ToolResult;
    let performed = false;
    if (effective === undefined) {
      seen = {
        callId: proposed.id,
        tool: proposed.tool,
        parts: [{ text: message, provenance: 'system', source: 'defense' }],
        isError: true,
      };
    } else {
      const applied = applyCall(this.world, effective, this.#callNumber);
      this.world = applied.world;
      ({ performed } = applied);
      raw = applied.result;
      seen = await this.#result(applied.result);
    }
    this.entries.push({
      type: 'call',
      proposed,
      effective: effective ?? null,
      raw,
      seen,
      actions: this.#take(),
    });
    this.seenResults.push(seen);
    this.#trail.messages.push({ role: 'tool', ...seen });
    this.#trail.calls.push({ call: effective ?? proposed, performed, result: seen });
    return seen;
  }

  async #result(raw: ToolResult): Promise<ToolResult> {
    const hooks = this.#hooks;
    if (hooks.onResult === undefined) return raw;
    const given = this.#flat ? flatResult(raw) : raw;
    const seen = await this.#guard(
      async () => (await hooks.onResult?.(given, this.#trail)) ?? given,
    );
    if (seen === given) return raw;
    this.announced ||= hasSystemText(seen) && !hasSystemText(given);
    this.#note(true, 'onResult', 'the result was changed');
    return seen;
  }

  async #halt(): Promise<void> {
    const hooks = this.#hooks;
    if (hooks.halt === undefined) return;
    const reason = await this.#guard(async () => hooks.halt?.(this.#trail));
    if (reason === undefined) return;
    this.log({ hook: 'halt', action: 'halted', reason });
    const last = this.entries.pop();
    if (last !== undefined) {
      this.entries.push({ ...last, actions: [...last.actions, ...this.#take()] });
    }
    this.ended = 'halted';
    throw new TrialEnded(reason);
  }

  /** A defense that logs what it does says so itself; otherwise any system text that it adds counts. */
  #announces(prepared: Task, task: Task): boolean {
    const logged = this.#actions.filter(({ hook }) => hook === 'prepare');
    return logged.some(({ action }) => action !== 'rewritten')
      ? logged.some(({ action }) => action === 'announced')
      : systemLength(prepared.messages) > systemLength(task.messages);
  }

  /** Runs a hook; its failure is remembered as the defense's, so that it is not taken for the target's. */
  async #guard<T>(hook: () => Promise<T>): Promise<T> {
    try {
      return await hook();
    } catch (error) {
      this.defenseFailure ??= asError(error);
      throw error;
    }
  }

  /** Notes what a hook changed, unless the defense has said so itself. */
  #note(changed: boolean, hook: DefenseAction['hook'], reason: string): void {
    if (changed && !this.#actions.some((action) => action.hook === hook)) {
      this.log({ hook, action: 'rewritten', reason });
    }
  }

  #take(): readonly DefenseAction[] {
    const taken = this.#actions;
    if (taken.length === 0) return NONE;
    this.#actions = [];
    return taken;
  }

  #assertOpen(): void {
    if (this.#closed || this.ended !== undefined) throw new TrialEnded('the trial is over');
  }
}

const NONE: readonly never[] = [];
