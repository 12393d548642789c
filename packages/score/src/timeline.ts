import type { ModelEntry, PromptEntry, Transcript, TranscriptEntry } from '@pab/model';

/** One turn: a prompt and what followed. */
export interface Turn {
  readonly prompt: PromptEntry | undefined;
  /** Place of the last model call whose request is what prompt and results give; -1 when there is none. */
  lastPlainCall: number;
  /** Model calls whose request `beforeModel` changed. */
  readonly editedCalls: { readonly place: number; readonly edits: ModelEntry['edits'] }[];
}

/** Where each entry of a transcript stands, worked out once. */
export interface Timeline {
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly Turn[];
  /** Turn of each entry, by its place. */
  readonly turnOf: readonly number[];
  /** Place of each entry's message among the messages of its turn. */
  readonly messageOf: readonly number[];
  /** No model calls that we see: what the target was given, it was given. */
  readonly direct: boolean;
}

function emptyTurn(prompt: PromptEntry | undefined): Turn {
  return { prompt, lastPlainCall: -1, editedCalls: [] };
}

export function timelineOf({ entries, blackBox }: Transcript): Timeline {
  const turns: Turn[] = [emptyTurn(undefined)];
  const turnOf: number[] = [];
  const messageOf: number[] = [];
  let turn = turns[0];
  let message = -1;
  let replied = false;
  for (const [place, entry] of entries.entries()) {
    if (entry.type === 'prompt') {
      turn = emptyTurn(entry);
      turns.push(turn);
      message = entry.messages.length - 1;
      replied = false;
    } else if (entry.type === 'model') {
      message += 1;
      replied = true;
      if (turn !== undefined) {
        if (entry.edits.length === 0) turn.lastPlainCall = place;
        else turn.editedCalls.push({ place, edits: entry.edits });
      }
    } else if (entry.type === 'call') {
      // Calls without a reply that we saw come in a reply of their own.
      message += replied ? 1 : 2;
    }
    turnOf.push(turns.length - 1);
    messageOf.push(message);
  }
  const direct = blackBox === true || entries.every(({ type }) => type !== 'model');
  return { entries, turns, turnOf, messageOf, direct };
}

/** The requests after a place of a turn, as edits of what prompt and results give; unedited ones count once. */
export function requestsAfter(
  { direct }: Timeline,
  turn: Turn,
  place: number,
): readonly ModelEntry['edits'][] {
  if (direct) return [[]];
  const edited = turn.editedCalls.filter((call) => call.place > place).map(({ edits }) => edits);
  return turn.lastPlainCall > place ? [[], ...edited] : edited;
}
