import {
  type CallEntry,
  type Case,
  type ChatReply,
  type ModelEntry,
  type OutputEntry,
  type Target,
  TargetError,
  type TargetErrorCode,
  type Transcript,
} from '@pab/model';
import { type HarnessTarget, harness } from '../harness.js';

type TurnEntry = ModelEntry | CallEntry | OutputEntry;

function turnsOf(transcript: Transcript): TurnEntry[][] {
  const turns: TurnEntry[][] = [];
  for (const entry of transcript.entries) {
    if (entry.type === 'prompt') turns.push([]);
    else turns.at(-1)?.push(entry);
  }
  return turns;
}

const CODES: Readonly<Record<string, TargetErrorCode>> = {
  http: 'http',
  timeout: 'timeout',
  network: 'network',
  'malformed-response': 'malformed-response',
  'empty-response': 'empty-response',
};

/**
 * Does again what a recorded trial did: the same proposed calls and the same texts, through the defense and world of this run. Under
 * the same defense and seed the transcript comes out the same. A case without a recording is an error of that trial.
 *
 * @param lookup gives the recorded transcript of a case; where it is kept is the caller's business
 */
export function replay(
  lookup: (theCase: Case) => Promise<Transcript | undefined>,
): Target & HarnessTarget {
  return {
    name: 'replay',
    run: () => Promise.reject(new Error('replay needs the case; it runs in runTrial only')),
    [harness]: (access) => {
      let recorded: Promise<Transcript | undefined> | undefined;
      let turn = 0;
      return async (_task, session) => {
        recorded ??= lookup(access.case);
        const transcript = await recorded;
        const entries = transcript === undefined ? undefined : turnsOf(transcript)[turn];
        if (transcript === undefined || entries === undefined) {
          throw new TargetError('target-failed', 'nothing is recorded for this case');
        }
        turn += 1;
        let first = turn === 1;
        let batch: CallEntry['proposed'][] = [];
        const perform = async (): Promise<void> => {
          if (batch.length > 0) await session.callAll(batch);
          batch = [];
        };
        for (const entry of entries) {
          if (entry.type === 'call') {
            batch.push(entry.proposed);
            continue;
          }
          await perform();
          if (entry.type === 'output') return { text: entry.text, stop: stopOf(transcript, turn) };
          await session.beforeModel(access.messages());
          await session.afterModel(replyOf(entry, first ? transcript : undefined));
          first = false;
        }
        await perform();
        if (transcript.stop === 'error' || transcript.stop === 'timeout') {
          const { code = 'target-failed', message = 'the recorded trial failed' } =
            transcript.error ?? {};
          throw new TargetError(CODES[code] ?? 'target-failed', message);
        }
        return { text: '', stop: stopOf(transcript, turn) };
      };
    },
  };
}

/** The recording has one sum of tokens; it goes with the first reply. */
function replyOf({ text, calls, stop }: ModelEntry, total: Transcript | undefined): ChatReply {
  if (total === undefined) return { text, calls, stop };
  const { inputTokens, outputTokens } = total.usage;
  return {
    text,
    calls,
    stop,
    usage: { inputTokens, outputTokens },
    ...(total.modelId === undefined ? {} : { modelId: total.modelId }),
  };
}

function stopOf(
  { stop, entries }: Transcript,
  turn: number,
): 'done' | 'max_steps' | 'blocked' | 'halted' {
  const last = entries.reduce((count, { type }) => count + (type === 'prompt' ? 1 : 0), 0) === turn;
  if (!last) return 'done';
  if (stop === 'provider_blocked') return 'blocked';
  return stop === 'max_steps' || stop === 'halted' ? stop : 'done';
}
