import type { ModelEntry, OutputEntry, Transcript } from '@pab/model';
import type { WrittenText } from './oracle/facts.js';

/** What the agent wrote, before any defense and as the user received it. */
export interface Written {
  readonly proposed: WrittenText;
  readonly received: WrittenText;
}

function seenOf({ text, seenText }: ModelEntry): string {
  return seenText ?? text;
}

function add(list: string[], text: string): void {
  if (text !== '') list.push(text);
}

/**
 * Collects the texts of a transcript. The text of a model call that closes its turn reaches the user only through `onOutput`, so as
 * received it counts in the form that `onOutput` gave it; text beside tool calls reaches the user as it is.
 */
export function writtenText({ entries }: Transcript): Written {
  const proposed: string[] = [];
  const received: string[] = [];
  let waiting: ModelEntry | undefined;
  let last: OutputEntry | undefined;
  const flush = (output: OutputEntry | undefined): void => {
    if (waiting === undefined) return;
    const text = seenOf(waiting);
    // Without an output of its own the closing text was never handed over.
    const closing = waiting.calls.length === 0 || (output !== undefined && output.text === text);
    if (!closing) add(received, text);
    waiting = undefined;
  };
  for (const entry of entries) {
    if (entry.type === 'model') {
      flush(undefined);
      waiting = entry;
      add(proposed, entry.text);
    } else if (entry.type === 'output') {
      flush(entry);
      last = entry;
      if (entry.text !== proposed.at(-1)) add(proposed, entry.text);
      add(received, entry.seen);
    } else if (entry.type === 'prompt') flush(undefined);
  }
  flush(undefined);
  return {
    proposed: { final: last?.text ?? '', all: proposed },
    received: { final: last?.seen ?? '', all: received },
  };
}
