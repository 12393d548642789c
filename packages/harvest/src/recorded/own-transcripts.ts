import type { Transcript } from '@pab/model';
import { HarvestError } from '../errors.js';
import { isAnthropicChat, readAnthropic } from './anthropic.js';
import type { Conversation } from './conversation.js';
import { isOpenAIChat, readOpenAI } from './openai.js';
import { readOtelTrace, spansOf } from './otel.js';
import { type TranscriptOptions, transcriptFromMessages } from './transcript.js';

function made(conversation: Conversation, options: TranscriptOptions): Transcript {
  const { messages, model, stop, error } = conversation;
  const transcript = transcriptFromMessages(messages, {
    ...(model === null ? {} : { modelId: model }),
    ...(stop === null ? {} : { stop }),
    ...options,
  });
  return error === null
    ? transcript
    : { ...transcript, stop: 'error', error: { code: 'provider', message: error } };
}

/**
 * The transcript of an agent that speaks to an OpenAI-like model: the list of messages as it stood at the end, or an object
 * with `messages` (Chat Completions) or `input` and `output` (Responses).
 *
 * @example
 * const theCase = instantiate(scenario, world, { seed: 0, trial: 0 });
 * const judgement = judge(theCase, transcriptFromOpenAI(messages));
 * @throws HarvestError `unknown-format` for anything else
 */
export function transcriptFromOpenAI(chat: unknown, options: TranscriptOptions = {}): Transcript {
  if (!isOpenAIChat(chat)) {
    throw new HarvestError(
      'unknown-format',
      'not a chat in the shape of OpenAI: expected a list of messages, or an object with messages, or with input and output',
    );
  }
  return made(readOpenAI(chat), options);
}

/**
 * The transcript of an agent on Anthropic's Messages: the list of messages, or an object with `system` and `messages`.
 *
 * @throws HarvestError `unknown-format` for anything else
 */
export function transcriptFromAnthropic(
  chat: unknown,
  options: TranscriptOptions = {},
): Transcript {
  if (!isAnthropicChat(chat) && !isOpenAIChat(chat)) {
    throw new HarvestError(
      'unknown-format',
      'not a chat in the shape of Anthropic: expected a list of messages, or an object with messages',
    );
  }
  return made(readAnthropic(chat), options);
}

/**
 * The transcript of one trace of OpenTelemetry GenAI spans, with message content: a list of spans, or an OTLP document.
 *
 * @throws HarvestError `unknown-format` where no span holds messages
 */
export function transcriptFromOtel(spans: unknown, options: TranscriptOptions = {}): Transcript {
  const rows: readonly unknown[] = Array.isArray(spans) ? (spans as unknown[]) : [spans];
  const conversation = readOtelTrace(rows.flatMap((row) => spansOf(row) ?? []));
  if (conversation === null) {
    throw new HarvestError(
      'unknown-format',
      'no span has gen_ai.input.messages or gen_ai.output.messages; is content capture on?',
    );
  }
  return made(conversation, options);
}
