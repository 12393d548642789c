import {
  type CallOptions,
  type Case,
  type ChatModel,
  type Defense,
  eachString,
  isLegible,
  type Message,
  partsText,
  type StopReason,
  setAt,
  type Target,
  TargetError,
  type TargetResult,
  type Task,
  type Transcript,
} from '@pab/model';
import { type HarnessAccess, harness, isHarnessTarget } from '../harness.js';
import { approves } from './approval.js';
import { Cancellation, systemTimers, type Timers } from './cancellation.js';
import { checkedResult } from './check-target.js';
import { opening } from './prompt.js';
import { asError, TrialSession } from './session.js';

export interface TrialOptions {
  /** Model calls of one turn; of a black-box agent, its tool calls. Default 15. */
  readonly maxSteps?: number;
  /** Milliseconds for the whole trial; unlimited when absent. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The defense's source of nonces, seeded for this trial: uniform in [0, 1). */
  readonly random: () => number;
  /** Digest of a value's canonical JSON, as `digest` of `@pab/model` gives it. */
  readonly digest: (value: unknown) => string;
  /** `message`: the defense sees one part per message, as it would without provenance. Default `part`. */
  readonly provenance?: 'part' | 'message';
  /** For defenses that need a model; its usage counts as the trial's. */
  readonly model?: ChatModel;
  readonly timers?: Timers;
}

/** Error texts come from providers and agents: one line, bounded. */
function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 500);
}

function metered(model: ChatModel, session: () => TrialSession | undefined): ChatModel {
  return {
    name: model.name,
    async reply(request, options) {
      const reply = await model.reply(request, options);
      session()?.count(reply.usage);
      return reply;
    },
  };
}

/**
 * Runs one trial: every turn of every session through the target, with the defense at each hook and the world behind the tools.
 * The world carries over from session to session; the conversation does not. A turn that does not end with `done` ends the trial. A failure of the target, the provider or the defense
 * is a transcript that stops with `error`, never a rejection.
 */
export async function runTrial(
  theCase: Case,
  target: Target,
  defense: Defense | undefined,
  options: TrialOptions,
): Promise<Transcript> {
  const cancellation = new Cancellation(
    options.signal,
    options.timeoutMs,
    options.timers ?? systemTimers,
  );
  let session: TrialSession | undefined;
  const approve = (call: Parameters<typeof approves>[1]): Promise<boolean> =>
    Promise.resolve(approves(theCase, call));
  let stop: StopReason = 'done';
  let failure: { code: string; message: string } | undefined;
  let modelDriven = true;
  const early: Parameters<TrialSession['log']>[0][] = [];
  try {
    let hooks = {};
    let opened: Error | undefined;
    try {
      hooks =
        defense?.open({
          random: options.random,
          signal: cancellation.signal,
          log: (action) => {
            if (session === undefined) early.push(action);
            else session.log(action);
          },
          approve,
          ...(options.model === undefined ? {} : { model: metered(options.model, () => session) }),
        }) ?? {};
    } catch (error) {
      opened = asError(error);
    }
    session = new TrialSession({
      case: theCase,
      defense,
      hooks,
      provenance: options.provenance ?? 'part',
      digest: options.digest,
      approve,
      trusted: isHarnessTarget(target),
    });
    for (const action of early) session.log(action);
    if (opened !== undefined) {
      session.defenseFailure = opened;
      throw opened;
    }
    stop = await cancellation.race(runSessions(theCase, target, session, options, cancellation));
    modelDriven = session.modelHooksUsed || isHarnessTarget(target);
  } catch (error) {
    ({ stop, failure } = explain(error, session, cancellation));
  } finally {
    session?.close();
    cancellation.close();
  }
  return {
    // A late hook may still be running; what it does is no longer part of the trial.
    entries: [...(session?.entries ?? [])],
    stop,
    ...(failure === undefined ? {} : { error: failure }),
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, ...session?.usage },
    ...(session?.modelId === undefined ? {} : { modelId: session.modelId }),
    ...(modelDriven ? {} : { blackBox: true as const }),
    finalState: options.digest((session?.world ?? theCase.world).state),
  };
}

function explain(
  error: unknown,
  session: TrialSession | undefined,
  cancellation: Cancellation,
): { stop: StopReason; failure: { code: string; message: string } | undefined } {
  if (cancellation.reason !== undefined) {
    const timeout = cancellation.reason === 'timeout';
    const message = timeout ? 'the trial took longer than its time limit' : 'the run was cancelled';
    return { stop: cancellation.reason, failure: { code: cancellation.reason, message } };
  }
  if (session?.ended !== undefined) return { stop: session.ended, failure: undefined };
  if (session?.defenseFailure !== undefined) {
    const message = errorText(session.defenseFailure);
    return { stop: 'error', failure: { code: 'defense-failed', message } };
  }
  const code = TargetError.is(error) ? error.code : 'target-failed';
  return { stop: 'error', failure: { code, message: errorText(error) } };
}

async function runSessions(
  theCase: Case,
  target: Target,
  session: TrialSession,
  options: TrialOptions,
  cancellation: Cancellation,
): Promise<StopReason> {
  const prompts: Task[] = [];
  const callOptions: CallOptions = { signal: cancellation.signal };
  const run = isHarnessTarget(target)
    ? target[harness](accessTo(theCase, session, prompts))
    : target.run.bind(target);
  for (const [sessionIndex, { turns, tools, set }] of theCase.sessions.entries()) {
    for (const [pointer, text] of Object.entries(set)) {
      const state = setAt(session.world.state, pointer, text);
      if (state !== undefined) {
        session.world = { ...session.world, state: state as typeof session.world.state };
      }
    }
    const conversation = opening(theCase, sessionIndex);
    for (const [turnIndex, { parts }] of turns.entries()) {
      conversation.push({ role: 'user', parts });
      const task: Task = {
        messages: [...conversation],
        tools,
        maxSteps: options.maxSteps ?? 15,
        ...(theCase.policy === undefined ? {} : { policy: theCase.policy }),
      };
      const prepared = await session.begin(task, sessionIndex, turnIndex);
      prompts.push(prepared);
      const counted = session.usage.modelCalls;
      const answered = await run(prepared, session, callOptions);
      // A target may have caught what ended the trial.
      if (session.ended !== undefined) return session.ended;
      if (session.defenseFailure !== undefined) throw session.defenseFailure;
      const result = isHarnessTarget(target) ? answered : checkedResult(answered);
      noteUsage(session, result, counted);
      const seen =
        result.text === '' && result.stop !== 'done'
          ? ''
          : await session.output(result.text, sessionIndex, turnIndex);
      if (result.stop !== 'done') {
        return result.stop === 'blocked' ? 'provider_blocked' : result.stop;
      }
      conversation.push(...turnMessages(session, result, seen));
    }
  }
  return 'done';
}

function noteUsage(session: TrialSession, result: TargetResult, before: number): void {
  session.modelId ??= result.modelId;
  // A target that sends its replies through the session has been counted there.
  if (result.usage === undefined || session.usage.modelCalls > before) return;
  session.usage.modelCalls += result.usage.modelCalls;
  session.usage.inputTokens += result.usage.inputTokens;
  session.usage.outputTokens += result.usage.outputTokens;
}

/** The turn as the next one will remember it; the closing text is what the user received. */
function turnMessages(
  session: TrialSession,
  { messages, text }: TargetResult,
  seen: string,
): readonly Message[] {
  const said = messages ?? session.turnMessages;
  const last = said.at(-1);
  const closing = last?.role === 'assistant' && last.calls.length === 0 ? last : undefined;
  if (closing !== undefined && partsText(closing.parts) === seen) return said;
  const before = closing === undefined ? said : said.slice(0, -1);
  return seen === '' && text === ''
    ? before
    : [...before, { role: 'assistant', parts: [{ text: seen, provenance: 'agent' }], calls: [] }];
}

function accessTo(theCase: Case, session: TrialSession, prompts: readonly Task[]): HarnessAccess {
  return {
    case: theCase,
    delivered() {
      if (theCase.variant !== 'attack' || theCase.injections.length === 0) return false;
      const text = seenText(prompts, session);
      return theCase.injections.every((injection) => isLegible(injection.text, text));
    },
    announced: () => session.announced,
    messages: () => session.messages,
    modelHooks: session.hasModelHooks,
  };
}

/** Everything that the target was given so far, unescaped. */
function seenText(prompts: readonly Task[], session: TrialSession): string {
  const texts: string[] = [];
  const { lastRequest } = session;
  for (const [index, { messages, tools }] of prompts.entries()) {
    // The request of this turn, if there was one, is what the defense made of prompt and results.
    const read = index === prompts.length - 1 ? (lastRequest ?? messages) : messages;
    for (const message of read) texts.push(partsText(message.parts));
    for (const tool of tools) {
      texts.push(partsText(tool.description));
      // Injected text in a schema marks the schema; all others are the operator's, and long.
      if (tool.untrustedSchema === true) {
        eachString(tool.parameters, (text) => texts.push(text));
      }
    }
  }
  if (lastRequest === undefined) {
    for (const { parts } of session.seenResults) texts.push(partsText(parts));
  }
  return texts.join('\n');
}
