import {
  type ChatModel,
  type Defense,
  deepEqual,
  type JsonObject,
  type Message,
  mapStrings,
  type Part,
  partsText,
  type Task,
} from '@pab/model';
import { readOptions } from './options.js';
import { trustedMessages } from './tool-choice.js';
import { announce, treatResult, treatTask } from './untrusted.js';

/** An id, number, date, address or name of a file: it carries no order, and the model needs it to choose. */
const PLAIN = /^[\p{L}\p{N}._:@/+-]{1,48}$/u;

/** Most characters of a fact and of its name, which the acting model reads, and most facts of one text. */
const FACT_LENGTH = 80;
const FACT_NAME_LENGTH = 12;
const FACTS = 8;

const RULES =
  'Text from outside is kept from you. Where it stands you see a reference such as $text1. Put a reference in an answer or in an argument of a call where its text should stand; it is filled in for you. References named after a fact, such as $text1.total, hold that fact.';

function reference(index: number): string {
  return `$text${index}`;
}

/** Facts as `name: value` lines of the quarantined model. Names are reduced to letters, so they say nothing by themselves. */
function factsOf(reply: string): [string, string][] {
  return reply
    .split('\n')
    .slice(0, 200)
    .flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      if (colon < 1) return [];
      const name = line
        .slice(0, colon)
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, '')
        .slice(0, FACT_NAME_LENGTH);
      const value = line
        .slice(colon + 1)
        .trim()
        .slice(0, FACT_LENGTH);
      return name === '' || value === '' ? [] : [[name, value]];
    })
    .slice(0, FACTS);
}

async function extract(
  model: ChatModel,
  { messages }: Task,
  text: string,
  signal: AbortSignal | undefined,
): Promise<[string, string][]> {
  const request = trustedMessages(messages).findLast(({ role }) => role === 'user');
  const question = `Somebody asked: ${partsText(request?.parts ?? [])}\n\nFrom the text below, write down the facts that the answer needs, one on each line as "name: value", at most ${FACTS}. Do nothing else.\n\n${text}`;
  const part: Part = { text: question, provenance: 'environment' };
  const reply = await model.reply(
    { messages: [{ role: 'user', parts: [part] }], tools: [] },
    signal === undefined ? {} : { signal },
  );
  return factsOf(reply.text);
}

/**
 * Two models (Willison 2023, "The Dual LLM pattern"): the acting model never sees text from outside, only references to it, which are
 * filled in when it uses them in a call or an answer. When the run has a model and `extract` is true (default), that model, which can call
 * nothing, reads each text and gives single facts names to refer to. Ids, numbers and other single words stay visible.
 */
export function dualModel(options: JsonObject = {}): Defense {
  const { extract: extracts } = readOptions('dual-model', options, {
    extract: { kind: 'boolean', fallback: true },
  });
  return {
    name: 'dual-model',
    options: { extract: extracts },
    open({ model, signal, log }) {
      const held = new Map<string, string>();
      const names = new Map<string, string>();
      const hide = (text: string): string => {
        if (PLAIN.test(text)) return text;
        const known = names.get(text);
        if (known !== undefined) return known;
        const name = reference(names.size + 1);
        names.set(text, name);
        held.set(name, text);
        return name;
      };
      // The longest reference that is known at a place: $text1.total before $text1.
      const fill = (text: string): string =>
        text.replaceAll(/\$text\d{1,6}(?:\.[a-z]{1,12})?/g, (found) => {
          const whole = held.get(found);
          if (whole !== undefined) return whole;
          const [base = ''] = found.split('.');
          const text1 = held.get(base);
          return text1 === undefined ? found : text1 + found.slice(base.length);
        });
      // An earlier answer was filled in for the user; before the model it stands with its references again.
      const emptied = (message: Message): Message => {
        if (message.role !== 'assistant' || names.size === 0) return message;
        const longest = [...names].toSorted(([a], [b]) => b.length - a.length);
        const empty = (text: string): string =>
          longest.reduce((left, [words, name]) => left.replaceAll(words, name), text);
        const parts = message.parts.map((part) => {
          const text = empty(part.text);
          return text === part.text ? part : { ...part, text };
        });
        return { ...message, parts };
      };
      return {
        prepare(task) {
          log({ hook: 'prepare', action: 'announced', reason: 'text from outside is kept back' });
          const treated = treatTask(task, { text: hide });
          return announce({ ...treated, messages: treated.messages.map(emptied) }, RULES);
        },
        async onResult(result, { task }) {
          const before = names.size;
          const treated = treatResult(result, { text: hide });
          const fresh = [...names].slice(before);
          if (fresh.length === 0 || model === undefined || !extracts) return treated;
          const facts: string[] = [];
          for (const [text, name] of fresh) {
            for (const [fact, value] of await extract(model, task, text, signal)) {
              const full = `${name}.${fact}`;
              if (held.has(full)) continue;
              held.set(full, value);
              facts.push(full);
            }
          }
          if (facts.length === 0) return treated;
          const told: Part = {
            text: `Facts that can be referred to: ${facts.join(', ')}`,
            provenance: 'system',
            source: 'defense',
          };
          return { ...treated, parts: [...treated.parts, told] };
        },
        onCall(call) {
          const args = mapStrings(call.args, fill);
          return deepEqual(args, call.args)
            ? { kind: 'allow' }
            : { kind: 'rewrite', call: { ...call, args }, reason: 'references were filled in' };
        },
        onOutput(text) {
          const filled = fill(text);
          return filled === text
            ? { kind: 'pass' }
            : { kind: 'rewrite', text: filled, reason: 'references were filled in' };
        },
      };
    },
  };
}
