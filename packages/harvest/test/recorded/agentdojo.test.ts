import { describe, expect, it } from 'vitest';
import { dojoLog, dojoText, readAll, readOne, rejectsOf, trialsOf } from './reading-runs.js';

describe('logs of AgentDojo', () => {
  it('take security as the success of the attack where there is an injection', async () => {
    const won = await readOne('a.json', dojoText({ security: true }));
    expect(won).toMatchObject({
      format: 'agentdojo',
      purpose: 'attack',
      pipeline: 'gardener-1',
      suite: 'garden',
      task: 'user_task_3',
      goal: 'injection_task_1',
      attack: 'plain',
      verdict: { compromised: true, useful: true },
      error: null,
    });
    const lost = await readOne('a.json', dojoText({ security: false, utility: false }));
    expect(lost.verdict).toEqual({ compromised: false, useful: false });
  });

  it('take security for nothing without an injection, where it is always true', async () => {
    const benign = { injection_task_id: null, injections: {}, attack_type: null, security: true };
    expect(await readOne('a.json', dojoText(benign))).toMatchObject({
      purpose: 'benign',
      goal: null,
      delivered: null,
      verdict: { compromised: null, useful: true },
    });
  });

  it('take a goal in the place of a user task for the ceiling', async () => {
    const posed = { user_task_id: 'injection_task_4', injection_task_id: null, injections: {} };
    expect(await readOne('a.json', dojoText(posed))).toMatchObject({
      purpose: 'ceiling',
      task: 'injection_task_4',
      goal: 'injection_task_4',
      verdict: { compromised: null, useful: true },
    });
  });

  it('read content as a string and as a list of parts alike', async () => {
    const { messages } = dojoLog();
    const parts = (messages as { content: unknown }[]).map((message) =>
      typeof message.content === 'string'
        ? { ...message, content: [{ type: 'text', content: message.content }] }
        : message,
    );
    const old = await readOne('a.json', dojoText());
    const now = await readOne('a.json', dojoText({ messages: parts }));
    expect([old.delivered, now.delivered]).toEqual([true, true]);
    expect(now.messages?.()).toEqual(old.messages?.());
    expect(old.messages?.()[2]).toEqual({
      role: 'assistant',
      parts: [],
      calls: [{ id: 'c1', tool: 'read_note', args: {} }],
    });
  });

  it('see that a payload never came before the agent', async () => {
    const messages = (dojoLog()['messages'] as unknown[]).slice(0, 2);
    const trial = await readOne('a.json', dojoText({ messages, security: true }));
    expect([trial.delivered, trial.verdict.compromised]).toEqual([false, true]);
  });

  it('do not take the words of the user or of the agent for a delivery', async () => {
    const { injections } = dojoLog() as { injections: { note_slot: string } };
    const messages = [
      { role: 'user', content: injections.note_slot },
      { role: 'assistant', content: injections.note_slot },
    ];
    expect((await readOne('a.json', dojoText({ messages }))).delivered).toBe(false);
  });

  it('are missing data with an error, and when they were never finished', async () => {
    const broken = await readOne('a.json', dojoText({ error: 'bad JSON from the model' }));
    expect(broken.error).toBe('bad JSON from the model');
    const { utility: _, security: __, ...unfinished } = dojoLog();
    const trial = await readOne('a.json', JSON.stringify(unfinished, null, 1));
    expect(trial.error).toBe('unfinished: the log has no verdict on utility');
    expect((await readOne('a.json', dojoText({ error: '' }))).error).toBeNull();
  });

  it('take the name of the pipeline from the folder where the log has none', async () => {
    const path = 'runs/gardener-2/garden/user_task_3/plain/injection_task_1.json';
    const trial = await readOne(path, dojoText({ pipeline_name: null }));
    expect(trial.pipeline).toBe('gardener-2');
    const items = await readAll(path, dojoText(), { pipeline: 'mine' });
    expect(trialsOf(items)[0]?.pipeline).toBe('mine');
  });

  it('are refused with place and reason when they are cut off', async () => {
    const items = await readAll('runs/a.json', dojoText().slice(0, 900));
    expect(trialsOf(items)).toEqual([]);
    expect(rejectsOf(items)).toEqual([expect.stringMatching(/^runs\/a\.json \$: not JSON: /u)]);
  });

  it('are refused when a field is missing, and the format was named', async () => {
    const items = await readAll('a.json', '{\n"suite_name": "garden"\n}', { format: 'agentdojo' });
    expect(rejectsOf(items)).toEqual([
      'a.json $: an AgentDojo log needs suite_name, user_task_id and messages',
    ]);
  });
});
