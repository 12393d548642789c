import {
  applyCall,
  type Case,
  type DefenseAction,
  isObject,
  type JsonValue,
  type Message,
  type ModelEntry,
  type PromptEntry,
  setAt,
  type Transcript,
  type WorldState,
} from '@pab/model';
import { type FieldDifference, type FieldPath, firstDifference } from './difference.js';

/** What of a transcript is not what its case and its own entries give. */
export interface TranscriptDifference extends FieldDifference {
  readonly why: string;
}

type CheckContext = {
  readonly theCase: Case;
  readonly digest: (value: unknown) => string;
};

const BROKEN_OFF: ReadonlySet<Transcript['stop']> = new Set(['error', 'timeout', 'aborted']);

const json = (value: unknown): JsonValue => value as JsonValue;

function by(actions: readonly DefenseAction[], ...hooks: readonly string[]): boolean {
  return actions.some(({ hook }) => hooks.includes(hook));
}

/** Follows one transcript: what the world gives to its calls, what the defense is recorded to have changed, what was asked. */
class Follower {
  private readonly context: CheckContext;
  private world: WorldState;
  private session = -1;
  private prompts = 0;
  private callNumber = 0;
  private callsDue = 0;
  /** The conversation as the next request begins; undefined when the transcript does not say all of it. */
  private conversation: Message[] | undefined;
  private tools: PromptEntry['tools'] = [];
  private modelEntries = 0;
  private readonly turns: readonly { readonly session: number; readonly turn: number }[];

  constructor(context: CheckContext) {
    this.context = context;
    this.world = context.theCase.world;
    this.turns = context.theCase.sessions.flatMap(({ turns }, session) =>
      turns.map((_, turn) => ({ session, turn })),
    );
  }

  follow(transcript: Transcript): TranscriptDifference | undefined {
    for (const [index, entry] of transcript.entries.entries()) {
      const at = ['entries', index];
      const found =
        entry.type === 'prompt'
          ? this.prompt(entry, at)
          : entry.type === 'model'
            ? this.model(entry, at)
            : entry.type === 'call'
              ? this.call(entry, at)
              : this.output(entry, at);
      if (found !== undefined) return found;
    }
    const { modelCalls } = transcript.usage;
    if (modelCalls < this.modelEntries) {
      return {
        path: ['usage', 'modelCalls'],
        expected: this.modelEntries,
        found: modelCalls,
        why: 'the transcript shows more model calls than are counted',
      };
    }
    // A trial that broke off in the middle of a call has done what it had not yet written down.
    if (BROKEN_OFF.has(transcript.stop)) return undefined;
    const state = this.context.digest(this.world.state);
    return this.compare(
      state,
      transcript.finalState,
      ['finalState'],
      'the calls leave the world in another state',
    );
  }

  private compare(
    expected: unknown,
    found: unknown,
    path: FieldPath,
    why: string,
  ): TranscriptDifference | undefined {
    const difference = firstDifference(json(expected), json(found), path);
    return difference === undefined ? undefined : { ...difference, why };
  }

  private prompt(entry: PromptEntry, at: FieldPath): TranscriptDifference | undefined {
    const turn = this.turns[this.prompts];
    this.prompts += 1;
    if (turn === undefined) {
      return {
        path: at,
        expected: undefined,
        found: json(entry),
        why: 'the case has no such turn',
      };
    }
    const { session, turn: number } = turn;
    const place =
      this.compare(session, entry.session, [...at, 'session'], 'the turns are those of the case') ??
      this.compare(number, entry.turn, [...at, 'turn'], 'the turns are those of the case');
    if (place !== undefined) return place;
    if (session > this.session) this.begin(session);
    this.conversation = [...entry.messages];
    this.tools = entry.tools;
    this.callsDue = 0;
    if (!entry.untouched) {
      return by(entry.actions, 'prepare')
        ? undefined
        : this.compare(true, false, [...at, 'untouched'], 'no action of the defense is recorded');
    }
    return (
      this.given(entry, session, number, at) ??
      this.compare(
        this.context.theCase.sessions[session]?.tools ?? [],
        entry.tools,
        [...at, 'tools'],
        'these are not the tools of the case',
      )
    );
  }

  private begin(session: number): void {
    this.session = session;
    const set = this.context.theCase.sessions[session]?.set ?? {};
    for (const [pointer, text] of Object.entries(set)) {
      const state = setAt(this.world.state, pointer, text);
      if (isObject(state)) this.world = { ...this.world, state };
    }
  }

  /** The first messages of an untouched prompt, and the user's words at its end, stand in the case. */
  private given(
    { messages }: PromptEntry,
    session: number,
    turn: number,
    at: FieldPath,
  ): TranscriptDifference | undefined {
    const { theCase } = this.context;
    const opening: Message[] =
      theCase.system.length > 0 ? [{ role: 'system', parts: theCase.system }] : [];
    if (session === 0) {
      for (const { role, parts } of theCase.history) {
        opening.push(role === 'assistant' ? { role, parts, calls: [] } : { role, parts });
      }
    }
    const asked: Message = {
      role: 'user',
      parts: theCase.sessions[session]?.turns[turn]?.parts ?? [],
    };
    const why = 'this is not what the case says';
    const path = [...at, 'messages'];
    if (turn === 0) return this.compare([...opening, asked], messages, path, why);
    for (const [index, message] of opening.entries()) {
      const found = this.compare(message, messages[index], [...path, index], why);
      if (found !== undefined) return found;
    }
    const last = messages.length - 1;
    return this.compare(asked, messages[last], [...path, Math.max(0, last)], why);
  }

  private model(entry: ModelEntry, at: FieldPath): TranscriptDifference | undefined {
    this.modelEntries += 1;
    const changed = by(entry.actions, 'afterModel');
    if (!changed && entry.seenText !== undefined) {
      return this.compare(
        undefined,
        entry.seenText,
        [...at, 'seenText'],
        'no action of the defense is recorded',
      );
    }
    const wanted = this.request(entry);
    if (wanted !== undefined && wanted !== entry.request) {
      return {
        path: [...at, 'request'],
        expected: wanted,
        found: entry.request,
        why: 'the messages of the transcript are not those that were sent',
      };
    }
    this.callsDue = entry.calls.length;
    // The calls that `afterModel` left are not written down apart, so what follows in this turn is not known to the byte.
    if (changed) this.conversation = undefined;
    this.conversation?.push({
      role: 'assistant',
      parts: entry.text === '' ? [] : [{ text: entry.text, provenance: 'agent' }],
      calls: entry.calls,
    });
    return undefined;
  }

  /** Digest of the request as the transcript gives it; undefined when it cannot be known. */
  private request({ edits, request }: ModelEntry): string | undefined {
    if (this.conversation === undefined || request === '') return undefined;
    const messages = [...this.conversation];
    for (const { index, message } of edits) {
      if (index > messages.length) return undefined;
      messages[index] = message;
    }
    const digestOf = (length: number): string =>
      this.context.digest({ messages: messages.slice(0, length), tools: this.tools });
    const whole = digestOf(messages.length);
    if (whole === request) return whole;
    // A defense may have left out messages at the end; edits say what was put in, not what was taken away.
    const shortest = edits.reduce((most, { index }) => Math.max(most, index + 1), 0);
    for (let length = messages.length - 1; length >= shortest && length > 0; length -= 1) {
      if (digestOf(length) === request) return request;
    }
    return whole;
  }

  private call(
    entry: Extract<Transcript['entries'][number], { type: 'call' }>,
    at: FieldPath,
  ): TranscriptDifference | undefined {
    this.callNumber += 1;
    if (this.callsDue > 0) this.callsDue -= 1;
    else this.conversation = undefined;
    const { proposed, effective, raw, seen, actions } = entry;
    if (!by(actions, 'onCall', 'onCalls', 'approve')) {
      const kept = this.compare(
        proposed,
        effective,
        [...at, 'effective'],
        'no action of the defense is recorded',
      );
      if (kept !== undefined) return kept;
    }
    let result: unknown = null;
    if (effective !== null) {
      const applied = applyCall(this.world, effective, this.callNumber);
      this.world = applied.world;
      ({ result } = applied);
    }
    const replayed = this.compare(result, raw, [...at, 'raw'], 'the world gives another result');
    if (replayed !== undefined) return replayed;
    this.conversation?.push({ role: 'tool', ...seen });
    if (effective === null || by(actions, 'onResult')) return undefined;
    return this.compare(raw, seen, [...at, 'seen'], 'no action of the defense is recorded');
  }

  private output(
    { text, seen, actions }: Extract<Transcript['entries'][number], { type: 'output' }>,
    at: FieldPath,
  ): TranscriptDifference | undefined {
    if (by(actions, 'onOutput')) return undefined;
    return this.compare(text, seen, [...at, 'seen'], 'no action of the defense is recorded');
  }
}

/**
 * Holds a transcript against its case: its turns and prompts, the result of every call that was performed, every change that a
 * recorded action of the defense does not explain, the digest of every model request, and the state at the end.
 *
 * What a target said is evidence, not consequence: it cannot be derived, and so it cannot be checked.
 */
export function checkTranscript(
  theCase: Case,
  transcript: Transcript,
  digest: (value: unknown) => string,
): TranscriptDifference | undefined {
  return new Follower({ theCase, digest }).follow(transcript);
}
