import { field, scalarField, textField } from '../fields.js';
import type { Place, ReadRow } from '../row.js';
import { isAnthropicChat, readAnthropic } from './anthropic.js';
import type { Conversation } from './conversation.js';
import { isOpenAIChat, readOpenAI } from './openai.js';
import { type ChatSpan, readOtelTrace, spansOf } from './otel.js';
import type { RecordedItem, RunFormat, ScenarioClaim } from './recorded-trial.js';
import {
  type FileContext,
  type FileReader,
  fileStem,
  type RunReader,
  refuseRow,
} from './run-reader.js';

/** A row can say which scenario of ours it is of: `scenario`, and `seed`, `trial` and `variant` where they are not 0, 0 and attack. */
function claimOf(value: unknown): ScenarioClaim | null {
  const scenario = textField(value, 'scenario');
  if (scenario === undefined) return null;
  const whole = (name: string): number => {
    const number = Number(scalarField(value, name) ?? 0);
    return Number.isSafeInteger(number) && number >= 0 ? number : 0;
  };
  const variant = textField(value, 'variant');
  return {
    scenario,
    seed: whole('seed'),
    trial: whole('trial'),
    variant: variant === 'twin' || variant === 'control' ? variant : 'attack',
  };
}

interface Told {
  readonly format: RunFormat;
  readonly place: Place;
  readonly file: FileContext;
  readonly notes: readonly string[];
  readonly claim: ScenarioClaim | null;
  readonly task: string;
}

function trialOf(conversation: Conversation, told: Told): RecordedItem {
  const { messages, model, stop, error } = conversation;
  const { format, place, file, notes, claim, task } = told;
  const empty = messages.every(({ role }) => role !== 'assistant');
  return {
    kind: 'trial',
    format,
    place,
    purpose: claim === null || claim.variant === 'attack' ? 'attack' : 'benign',
    pipeline: file.options.pipeline ?? model ?? fileStem(file.name),
    suite: format,
    task: claim?.scenario ?? task,
    goal: claim?.scenario ?? task,
    attack: null,
    verdict: { compromised: null, useful: null },
    delivered: null,
    error: error ?? (empty ? 'the agent said nothing' : null),
    repeat: claim?.trial ?? 0,
    notes,
    messages: () => messages,
    ...(claim === null ? {} : { claim }),
    ...(stop === null ? {} : { stop }),
  };
}

/** A file whose rows are the messages of one chat. */
function isSingleMessage(value: unknown): boolean {
  return (
    textField(value, 'role') !== undefined &&
    field(value, 'content') !== undefined &&
    field(value, 'messages') === undefined
  );
}

function openChats(
  format: 'openai' | 'anthropic',
  file: FileContext,
  isChat: (value: unknown) => boolean,
  read: (value: unknown) => Conversation,
): FileReader {
  const single: unknown[] = [];
  let first: ReadRow | null = null;
  let number = 0;
  return {
    *row(row): Generator<RecordedItem> {
      const { value, place, notes = [] } = row;
      number += 1;
      if (isSingleMessage(value)) {
        first ??= row;
        single.push(value);
      } else if (isChat(value) || (format === 'openai' && isAnthropicChat(value))) {
        const task = textField(value, 'id') ?? `${fileStem(file.name)}#${number}`;
        yield trialOf(read(value), { format, place, file, notes, claim: claimOf(value), task });
      } else yield refuseRow(place, `not a chat in the shape of ${format}`, value);
    },
    *end(): Generator<RecordedItem> {
      if (first === null) return;
      const { place } = first;
      const inBlocks = isAnthropicChat(single);
      const conversation = inBlocks ? readAnthropic(single) : read(single);
      yield trialOf(conversation, {
        format: inBlocks ? 'anthropic' : format,
        place: { file: place.file },
        file,
        notes: [],
        claim: null,
        task: fileStem(file.name),
      });
    },
  };
}

/** Chats in OpenAI's shapes: an object a row, a list of messages a row, or one message a row. */
export const openaiRuns: RunReader = {
  format: 'openai',
  title: 'an OpenAI chat',
  recognises: (value) => isSingleMessage(value) || isOpenAIChat(value),
  open: (file) => openChats('openai', file, isOpenAIChat, readOpenAI),
};

export const anthropicRuns: RunReader = {
  format: 'anthropic',
  title: 'an Anthropic chat',
  recognises: isAnthropicChat,
  open: (file) => openChats('anthropic', file, isAnthropicChat, readAnthropic),
};

interface Trace {
  readonly spans: ChatSpan[];
  readonly place: Place;
}

function claimOfSpans(spans: readonly ChatSpan[]): ScenarioClaim | null {
  for (const { attributes } of spans) {
    if (!attributes.has('pab.scenario')) continue;
    const named = ['scenario', 'seed', 'trial', 'variant'];
    return claimOf(Object.fromEntries(named.map((name) => [name, attributes.get(`pab.${name}`)])));
  }
  return null;
}

/** Spans of OpenTelemetry's GenAI conventions: each trace is one chat. The spans of a file are held until its end. */
export const otelRuns: RunReader = {
  format: 'otel',
  title: 'OpenTelemetry spans',
  recognises: (value) => spansOf(value) !== null,
  open: (file) => {
    const traces = new Map<string, Trace>();
    return {
      *row({ value, place }): Generator<RecordedItem> {
        const spans = spansOf(value);
        if (spans === null) {
          yield refuseRow(place, 'not a span: expected attributes and a trace id', value);
          return;
        }
        for (const span of spans) {
          const known = traces.get(span.trace);
          if (known === undefined) traces.set(span.trace, { spans: [span], place });
          else known.spans.push(span);
        }
      },
      *end(): Generator<RecordedItem> {
        for (const [trace, { spans, place }] of traces) {
          const conversation = readOtelTrace(spans);
          if (conversation === null) {
            const reason = `trace ${trace} has no messages: no span has gen_ai.input.messages; content capture may be off`;
            yield refuseRow(place, reason, trace);
            continue;
          }
          const claim = claimOfSpans(spans);
          yield trialOf(conversation, {
            format: 'otel',
            place,
            file,
            notes: [],
            claim,
            task: trace,
          });
        }
      },
    };
  },
};
