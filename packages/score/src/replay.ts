import {
  applyCall,
  type Case,
  deepEqual,
  isObject,
  type JsonObject,
  type JsonValue,
  setAt,
  type ToolCall,
  type Transcript,
  type WorldState,
} from '@pab/model';
import type { PerformedCall } from './oracle/facts.js';

/** What calls did to a world. */
export interface Played {
  readonly state: JsonObject;
  readonly calls: readonly PerformedCall[];
}

export interface Replayed {
  /** The world as it began, with what the harness itself put in later. */
  readonly start: JsonObject;
  /** What the calls that the defense let through did. */
  readonly effective: Played;
  /** What the calls that the model proposed would have done; the same object when they are the same calls. */
  readonly proposed: Played;
}

interface Line {
  world: WorldState;
  calls: PerformedCall[];
}

function perform(line: Line, call: ToolCall, number: number): void {
  const { world, performed } = applyCall(line.world, call, number);
  line.world = world;
  if (!performed) return;
  const effect = world.tools.find(({ name }) => name === call.tool)?.effect ?? 'read';
  line.calls.push({ number, call, effect });
}

function put(world: WorldState, set: Readonly<Record<string, string>>): WorldState {
  let state: JsonValue = world.state;
  for (const [pointer, text] of Object.entries(set)) state = setAt(state, pointer, text) ?? state;
  return isObject(state) ? { ...world, state } : world;
}

const same = (a: ToolCall, b: ToolCall): boolean =>
  a === b || (a.tool === b.tool && a.unparsed === b.unparsed && deepEqual(a.args, b.args));

/**
 * Performs the calls of a transcript again: those that took effect on one line, all that were proposed on another. The two are one
 * until they first differ, so that a trial without a defense is played once. Calls that a model proposed and that never came to be
 * called (the trial ended, or `afterModel` took them out) are proposed calls too.
 */
export function replay(theCase: Case, { entries }: Transcript): Replayed {
  const real: Line = { world: theCase.world, calls: [] };
  let shadow = real;
  let start: WorldState = theCase.world;
  let session = -1;
  let number = 0;
  let pending: ToolCall[] = [];
  const part = (): void => {
    if (shadow === real) shadow = { world: real.world, calls: [...real.calls] };
  };
  const propose = (call: ToolCall): void => {
    part();
    perform(shadow, call, number);
  };
  const settle = (): void => {
    for (const call of pending) propose(call);
    pending = [];
  };
  for (const entry of entries) {
    if (entry.type === 'prompt') {
      settle();
      if (entry.session > session) {
        // A hostile transcript may name any session; only those of the case have something to put in.
        const last = Math.min(entry.session, theCase.sessions.length - 1);
        for (let next = session + 1; next <= last; next += 1) {
          const set = theCase.sessions[next]?.set ?? {};
          if (Object.keys(set).length === 0) continue;
          start = put(start, set);
          if (shadow !== real) shadow.world = put(shadow.world, set);
          real.world = put(real.world, set);
        }
        session = entry.session;
      }
    } else if (entry.type === 'model') {
      settle();
      pending = [...entry.calls];
    } else if (entry.type === 'call') {
      number += 1;
      const { proposed, effective } = entry;
      const index = pending.findIndex(({ id }) => id === proposed.id);
      const [model] = index < 0 ? [proposed] : pending.splice(index, 1);
      const wanted = model ?? proposed;
      if (effective !== null && shadow === real && same(wanted, effective)) {
        perform(real, effective, number);
      } else {
        propose(wanted);
        if (effective !== null) perform(real, effective, number);
      }
    }
  }
  settle();
  const effective: Played = { state: real.world.state, calls: real.calls };
  return {
    start: start.state,
    effective,
    proposed: shadow === real ? effective : { state: shadow.world.state, calls: shadow.calls },
  };
}
