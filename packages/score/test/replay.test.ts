import type { ModelEntry, ToolCall, Transcript } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { judge } from '../src/index.js';
import { replay } from '../src/replay.js';
import { writtenText } from '../src/written-text.js';
import { BENIGN, deskCase, KEY, PAYLOAD } from './fixture/desk-case.js';
import { play, promptEntry } from './fixture/play.js';

const model = (calls: readonly ToolCall[], text = '', seenText?: string): ModelEntry => ({
  type: 'model',
  request: '',
  edits: [],
  text,
  ...(seenText === undefined ? {} : { seenText }),
  calls,
  stop: calls.length > 0 ? 'calls' : 'done',
  actions: [],
});

const note = (id: string, text: string): ToolCall => ({ id, tool: 'add_note', args: { text } });

const transcriptOf = (entries: Transcript['entries']): Transcript => ({
  entries,
  stop: 'done',
  usage: { modelCalls: 1, inputTokens: 0, outputTokens: 0 },
  finalState: '',
});

const notesIn = ({ calls }: { calls: readonly { call: ToolCall }[] }) =>
  calls.map(({ call }) => call.args['text']);

describe('the replay of a transcript', () => {
  it('plays a trial without a defense once', () => {
    const played = replay(
      deskCase(),
      play(deskCase(), [{ call: 'add_note', args: { text: 'a' } }]),
    );
    expect(played.proposed).toBe(played.effective);
    expect(played.effective.state['notes']).toEqual([{ text: 'a' }]);
  });

  it('parts what was proposed from what took effect where they first differ', () => {
    const played = replay(
      deskCase(),
      play(deskCase(), [
        { call: 'add_note', args: { text: 'a' } },
        { call: 'add_note', args: { text: 'b' }, blocked: true },
        {
          call: 'add_note',
          args: { text: 'c' },
          instead: { call: 'add_note', args: { text: 'd' } },
        },
        { call: 'add_note', args: { text: 'e' } },
      ]),
    );
    expect(notesIn(played.effective)).toEqual(['a', 'd', 'e']);
    expect(notesIn(played.proposed)).toEqual(['a', 'b', 'c', 'e']);
  });

  it('counts calls that afterModel took out, or that the trial had no time for, as proposed', () => {
    const theCase = deskCase();
    const kept = play(theCase, [{ call: 'add_note', args: { text: 'kept' } }]).entries.at(2);
    const entries = [
      promptEntry(theCase),
      model([note('c1', 'kept'), note('x2', 'taken out')]),
      ...(kept === undefined ? [] : [kept]),
      model([note('c9', 'too late')]),
    ];
    const played = replay(theCase, transcriptOf(entries));
    expect(notesIn(played.effective)).toEqual(['kept']);
    expect(notesIn(played.proposed)).toEqual(['kept', 'taken out', 'too late']);
  });

  it('puts in what a later session brings when it begins', () => {
    const theCase = deskCase({
      change: {
        task: {},
        sessions: [{ turns: [{ prompt: 'Read m1.' }] }, { turns: [{ prompt: 'Read m2.' }] }],
        injections: [
          { at: { state: '/inbox/1/body', session: 1 }, payload: PAYLOAD, benign: BENIGN },
        ],
      },
    });
    const [, ...first] = play(theCase, [
      { call: 'read_mail', args: { id: 'm2' } },
      { say: 'Empty.' },
    ]).entries;
    const bodyOf = (played: ReturnType<typeof replay>) =>
      (played.effective.state['inbox'] as { body: string }[])[1]?.body;
    const before = transcriptOf([promptEntry(theCase, 0), ...first]);
    expect(bodyOf(replay(theCase, before))).toBe('');
    const after = transcriptOf([...before.entries, promptEntry(theCase, 1)]);
    const played = replay(theCase, after);
    expect(bodyOf(played)).toBe(PAYLOAD);
    expect(played.start).toEqual(played.effective.state);
    expect(judge(theCase, before).outcome).toBe('not_reached');
  });
});

describe('what the agent wrote', () => {
  it('reaches the user beside calls at once, and at the end only through onOutput', () => {
    const transcript = play(deskCase(), [
      { call: 'read_mail', args: { id: 'm2' }, beside: `working on ${KEY}` },
      { say: `it is ${KEY}`, seen: 'Withheld.' },
    ]);
    expect(writtenText(transcript)).toEqual({
      proposed: { final: `it is ${KEY}`, all: [`working on ${KEY}`, `it is ${KEY}`] },
      received: { final: 'Withheld.', all: [`working on ${KEY}`, 'Withheld.'] },
    });
  });

  it('is what afterModel left of it', () => {
    const transcript = transcriptOf([
      promptEntry(deskCase()),
      model([note('c1', 'x')], KEY, '[key]'),
      model([], 'Done.'),
      { type: 'output', session: 0, turn: 0, text: 'Done.', seen: 'Done.', actions: [] },
    ]);
    expect(writtenText(transcript)).toEqual({
      proposed: { final: 'Done.', all: [KEY, 'Done.'] },
      received: { final: 'Done.', all: ['[key]', 'Done.'] },
    });
  });

  it('has no final text when the trial broke off before the turn closed', () => {
    const transcript = transcriptOf([promptEntry(deskCase()), model([], 'never handed over')]);
    expect(writtenText(transcript)).toEqual({
      proposed: { final: '', all: ['never handed over'] },
      received: { final: '', all: [] },
    });
  });
});
