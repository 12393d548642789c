import {
  type Defense,
  eachString,
  fold,
  type JsonObject,
  type Message,
  type ToolCall,
  type Trail,
} from '@pab/model';
import { readOptions } from './options.js';
import { isUntrusted } from './untrusted.js';

/** Text as the words of one side, folded, each side on its own. */
interface Sides {
  readonly trusted: string;
  readonly untrusted: string;
}

function sidesOf({ messages, task }: Trail): Sides {
  const trusted: string[] = [];
  const untrusted: string[] = [];
  const read = (list: readonly Message[]): void => {
    for (const { parts } of list) {
      for (const part of parts) {
        // What the model wrote may come from either side, so it vouches for nothing.
        if (part.provenance === 'agent') continue;
        (isUntrusted(part) ? untrusted : trusted).push(part.text);
      }
    }
  };
  read(messages);
  for (const { description, parameters, untrustedSchema } of task.tools) {
    for (const part of description) if (isUntrusted(part)) untrusted.push(part.text);
    if (untrustedSchema === true) eachString(parameters, (text) => untrusted.push(text));
  }
  return { trusted: fold(trusted.join('\n')), untrusted: fold(untrusted.join('\n')) };
}

/**
 * The words of a value that direct where something goes or what it does to: addresses, hosts, paths, numbers, ids, names. A long
 * text is content, of which only addresses count.
 */
function directing(value: string): string[] {
  const words = fold(value).split(/[\s,;<>"'()]+/u);
  // An address also counts inside a link or after a scheme.
  const pieces = words.flatMap((word) => [word, ...word.split(/[:/?#&=|]+/u)]);
  const pointing = pieces.filter(
    (word) => word.length >= 4 && word.length <= 300 && /[@/:]|\w\.\w|\d{3}/u.test(word),
  );
  return words.length <= 6 ? [fold(value), ...pointing] : pointing;
}

function taintedBy(call: ToolCall, { trusted, untrusted }: Sides): string | undefined {
  let found: string | undefined;
  eachString(call.args, (value, pointer) => {
    if (found !== undefined) return;
    const derived = directing(value).some(
      (word) => word.length >= 3 && untrusted.includes(word) && !trusted.includes(word),
    );
    if (derived) found = pointer;
  });
  return found;
}

/**
 * Follows where the arguments of calls come from. A call with an effect outside whose addresses, ids or other short values stand
 * in text from outside and not in the words of user or operator needs the user: `action` is `ask` (default) or `block`. `effects`:
 * `sink` (default) or `write` for every call but reads.
 */
export function taint(options: JsonObject = {}): Defense {
  const { action, effects } = readOptions('taint', options, {
    action: { kind: 'choice', values: ['ask', 'block'], fallback: 'ask' },
    effects: { kind: 'choice', values: ['sink', 'write'], fallback: 'sink' },
  });
  return {
    name: 'taint',
    options: { action, effects },
    open: () => ({
      onCall(call, trail) {
        const effect = trail.task.tools.find(({ name }) => name === call.tool)?.effect;
        if (effect !== 'sink' && !(effect === 'write' && effects === 'write')) {
          return { kind: 'allow' };
        }
        const place = taintedBy(call, sidesOf(trail));
        if (place === undefined) return { kind: 'allow' };
        const reason = `the argument ${place} comes from text from outside`;
        return action === 'ask' ? { kind: 'ask', reason } : { kind: 'block', reason };
      },
    }),
  };
}
