import type { Message } from '@pab/model';
import { describe, expect, it } from 'vitest';
import {
  transcriptFromAnthropic,
  transcriptFromMessages,
  transcriptFromOpenAI,
  transcriptFromOtel,
} from '../../src/runs.js';
import { lines, readAll, rejectsOf, trialsOf } from './reading-runs.js';

/** One chat, told in each of the shapes. */
const expected: Message[] = [
  { role: 'system', parts: [{ text: 'Help.', provenance: 'system' }] },
  { role: 'user', parts: [{ text: 'Any mail?', provenance: 'user' }] },
  {
    role: 'assistant',
    parts: [{ text: 'Looking.', provenance: 'agent' }],
    calls: [{ id: 'c1', tool: 'read', args: { box: 'in' } }],
  },
  {
    role: 'tool',
    callId: 'c1',
    tool: 'read',
    parts: [{ text: 'Two.', provenance: 'environment' }],
    isError: false,
  },
  { role: 'assistant', parts: [{ text: 'Two mails.', provenance: 'agent' }], calls: [] },
];

const completions = [
  { role: 'system', content: 'Help.' },
  { role: 'user', content: [{ type: 'text', text: 'Any mail?' }] },
  {
    role: 'assistant',
    content: 'Looking.',
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"box":"in"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'Two.' },
  { role: 'assistant', content: 'Two mails.' },
];

const responses = {
  instructions: 'Help.',
  input: 'Any mail?',
  output: [
    { type: 'reasoning', summary: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"box":"in"}' },
    { type: 'function_call_output', call_id: 'c1', output: 'Two.' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Two mails.' }] },
  ],
  model: 'r-1',
};

const anthropic = {
  system: 'Help.',
  messages: [
    { role: 'user', content: 'Any mail?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { box: 'in' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'Two.' }] },
      ],
    },
  ],
  response: {
    model: 'a-1',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'Two mails.' }],
  },
};

const said = (role: string, ...parts: unknown[]): unknown => ({ role, parts });
const input = [
  said('user', { type: 'text', content: 'Any mail?' }),
  said(
    'assistant',
    { type: 'text', content: 'Looking.' },
    { type: 'tool_call', id: 'c1', name: 'read', arguments: { box: 'in' } },
  ),
  said('tool', { type: 'tool_call_response', id: 'c1', name: 'read', result: 'Two.' }),
];
const attribute = (key: string, value: unknown): unknown => ({
  key,
  value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
});
const system = attribute('gen_ai.system_instructions', [{ type: 'text', content: 'Help.' }]);
const otlp = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: 't1',
              startTimeUnixNano: '10',
              attributes: [system, attribute('gen_ai.input.messages', input.slice(0, 1))],
            },
            {
              traceId: 't1',
              startTimeUnixNano: '20',
              attributes: [
                system,
                attribute('gen_ai.request.model', 'o-1'),
                attribute('gen_ai.input.messages', input),
                attribute('gen_ai.output.messages', [
                  said('assistant', { type: 'text', content: 'Two mails.' }),
                ]),
              ],
            },
            { traceId: 't1', startTimeUnixNano: '15', attributes: [] },
          ],
        },
      ],
    },
  ],
};

const pretty = (value: unknown): string => JSON.stringify(value, null, 1);

describe('chats', () => {
  it.each([
    ['Chat Completions', 'openai', pretty({ model: 'x', messages: completions })],
    [
      'a request and its response',
      'openai',
      pretty({
        request: { messages: completions.slice(0, -1) },
        response: { choices: [{ message: completions.at(-1), finish_reason: 'stop' }] },
      }),
    ],
    ['a list of messages', 'openai', pretty(completions)],
    ['one message a line', 'openai', lines(...completions)],
    ['a list of messages a line', 'openai', lines(completions)],
    ['Responses', 'openai', pretty(responses)],
    ['Anthropic’s Messages', 'anthropic', pretty(anthropic)],
    ['OpenTelemetry spans', 'otel', pretty(otlp)],
  ])('of %s give the same messages', async (_, format, text) => {
    const items = await readAll('chat.json', text);
    expect(rejectsOf(items)).toEqual([]);
    const trials = trialsOf(items);
    expect(trials).toHaveLength(1);
    expect(trials[0]?.format).toBe(format);
    expect(trials[0]?.messages?.()).toEqual(
      // Chat Completions do not repeat the name of the tool in its result; the call has it.
      expected,
    );
  });

  it('can name the scenario that they are of', async () => {
    const row = { scenario: 'mail-x-001', trial: 2, variant: 'twin', messages: completions };
    const [trial] = trialsOf(await readAll('c.jsonl', lines(row)));
    expect(trial).toMatchObject({
      purpose: 'benign',
      claim: { scenario: 'mail-x-001', seed: 0, trial: 2, variant: 'twin' },
    });
  });

  it('keep arguments that are no object', async () => {
    const call = { id: 'c', function: { name: 'read', arguments: '{"box":' } };
    const chat = { messages: [{ role: 'assistant', content: null, tool_calls: [call] }] };
    const [trial] = trialsOf(await readAll('c.jsonl', lines(chat)));
    expect(trial?.messages?.()).toEqual([
      {
        role: 'assistant',
        parts: [],
        calls: [{ id: 'c', tool: 'read', args: {}, unparsed: '{"box":' }],
      },
    ]);
  });

  it('are missing data with a provider’s error, and without a word of the agent', async () => {
    const items = await readAll(
      'c.jsonl',
      lines(
        { messages: completions.slice(0, 2) },
        { messages: completions.slice(0, 2), response: { error: { message: 'overloaded' } } },
      ),
    );
    expect(trialsOf(items).map(({ error }) => error)).toEqual([
      'the agent said nothing',
      'overloaded',
    ]);
  });

  it('are refused where spans hold no content', async () => {
    const span = { traceId: 't9', attributes: [attribute('gen_ai.request.model', 'm')] };
    expect(rejectsOf(await readAll('s.jsonl', lines(span)))).toEqual([
      's.jsonl:1: trace t9 has no messages: no span has gen_ai.input.messages; content capture may be off',
    ]);
  });
});

describe('transcripts of own agents', () => {
  it('have a prompt, model calls, tool calls and an output', () => {
    const { entries, stop, usage } = transcriptFromOpenAI(completions);
    expect(entries.map(({ type }) => type)).toEqual(['prompt', 'model', 'call', 'model', 'output']);
    expect(entries[0]).toMatchObject({ messages: expected.slice(0, 2) });
    expect(entries[2]).toMatchObject({
      proposed: { tool: 'read' },
      raw: { tool: 'read', callId: 'c1' },
    });
    expect(entries.at(-1)).toMatchObject({ text: 'Two mails.', seen: 'Two mails.' });
    expect([stop, usage.modelCalls]).toEqual(['done', 2]);
  });

  it('are the same from every shape, but for the model’s name', () => {
    const { modelId: _, ...plain } = transcriptFromMessages(expected);
    for (const made of [
      transcriptFromOpenAI(responses),
      transcriptFromAnthropic(anthropic),
      transcriptFromOtel(otlp),
    ]) {
      const { modelId: __, ...transcript } = made;
      expect(transcript).toEqual(plain);
    }
  });

  it('begin a turn with each user message, and leave out what the scenario put before', () => {
    const chat = [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Good day.' },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: 'Gone.' },
      { role: 'user', content: 'More.' },
      { role: 'assistant', content: 'No more.' },
    ];
    const types = (history: number): string[] =>
      transcriptFromOpenAI(chat, { history }).entries.map(({ type }) => type);
    expect(types(0)).toEqual([
      'prompt',
      'model',
      'output',
      'prompt',
      'model',
      'output',
      'prompt',
      'model',
      'output',
    ]);
    expect(types(2)).toEqual(['prompt', 'model', 'output', 'prompt', 'model', 'output']);
  });

  it('take a call without a result for one that was never performed', () => {
    const { entries, stop } = transcriptFromOpenAI(completions.slice(0, 3));
    expect(entries.map(({ type }) => type)).toEqual(['prompt', 'model']);
    expect(stop).toBe('max_steps');
  });

  it('stop at a provider’s filter, and fail with a provider’s error', () => {
    const choices = [
      { message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' },
    ];
    expect(transcriptFromOpenAI({ messages: completions.slice(0, 2), choices }).stop).toBe(
      'provider_blocked',
    );
    const failed = { messages: completions.slice(0, 2), error: { message: 'overloaded' } };
    expect(transcriptFromOpenAI(failed)).toMatchObject({
      stop: 'error',
      error: { message: 'overloaded' },
    });
  });

  it('say what was expected of anything else', () => {
    expect(() => transcriptFromOpenAI({ text: 'hi' })).toThrow(
      /not a chat in the shape of OpenAI/u,
    );
    expect(() => transcriptFromAnthropic(7)).toThrow(/not a chat in the shape of Anthropic/u);
    expect(() => transcriptFromOtel([])).toThrow(/content capture/u);
  });
});
