import { existsSync, readFileSync } from 'node:fs';
import {
  applyCall,
  type Case,
  eachString,
  instantiate,
  loadJsonl,
  messageText,
  partsText,
  renderResult,
  setAt,
  type Task,
  type WorldState,
} from '@pab/model';
import { describe, expect, it } from 'vitest';
import { defenseFrom } from '../src/index.js';
import { opened, trailOf } from './fixture/through.js';

const FILE = new URL('../../../corpus/dist/pab-core.jsonl', import.meta.url);

function attacks(): readonly Case[] {
  if (!existsSync(FILE)) return [];
  const { scenarios, worlds } = loadJsonl(new Uint8Array(readFileSync(FILE)), 'pab-core.jsonl');
  return scenarios.flatMap((scenario) => {
    const world = worlds.get(scenario.world);
    // What the user types themselves is theirs; no defense is expected to touch it.
    return world === undefined || scenario.kind !== 'attack' || scenario.family === 'baseline'
      ? []
      : [instantiate(scenario, world, { seed: 1, trial: 0 })];
  });
}

function taskTexts({ messages, tools }: Task): string[] {
  const texts = messages.map(messageText);
  for (const { description, parameters } of tools) {
    texts.push(partsText(description));
    eachString(parameters, (text) => texts.push(text));
  }
  return texts;
}

/** Reads a case, text by text, through a defense as its obedient plan would: every prompt, and the result of every call. */
async function readThrough(theCase: Case, name: string, options = {}): Promise<readonly string[]> {
  const { hooks } = opened(defenseFrom(name, options));
  const texts: string[] = [];
  const plan = theCase.reference.obedient ?? [];
  let world: WorldState = theCase.world;
  let at = 0;
  let number = 0;
  for (const [index, session] of theCase.sessions.entries()) {
    for (const [pointer, text] of Object.entries(session.set)) {
      const state = setAt(world.state, pointer, text);
      if (state !== undefined) world = { ...world, state: state as WorldState['state'] };
    }
    for (const turn of session.turns) {
      const task: Task = {
        messages: [
          { role: 'system', parts: theCase.system },
          ...(index === 0 ? theCase.history : []).map(({ role, parts }) =>
            role === 'user' ? { role, parts } : { role, parts, calls: [] },
          ),
          { role: 'user', parts: turn.parts },
        ],
        tools: session.tools,
        maxSteps: 15,
      };
      const prepared = (await hooks.prepare?.(task)) ?? task;
      texts.push(...taskTexts(prepared));
      for (let step = plan[at]; step !== undefined; step = plan[at]) {
        at += 1;
        if ('say' in step) break;
        number += 1;
        const call = { id: `c${number}`, tool: step.call, args: step.args };
        const applied = applyCall(world, call, number);
        ({ world } = applied);
        const seen = await hooks.onResult?.(applied.result, trailOf(prepared));
        texts.push(renderResult(seen ?? applied.result));
      }
    }
  }
  return texts;
}

const squeeze = (text: string): string => text.replaceAll(/[\s"\\]+/g, '');
const holds = (texts: readonly string[], payload: string): boolean =>
  texts.some((text) => squeeze(text).includes(squeeze(payload)));

/** Whether every place where the text stands is enclosed by tags. */
function enclosed(texts: readonly string[], payload: string): boolean {
  return texts.every((text) => {
    const outside = text.replaceAll(/<outside-([a-z2-9]{16})>[\s\S]*?<\/outside-\1>/g, '');
    return !squeeze(outside).includes(squeeze(payload));
  });
}

const cases = attacks();

describe('on the bundled corpus', () => {
  it.skipIf(cases.length === 0)('every injected text is reached, in every channel', async () => {
    const missed: string[] = [];
    const read = new Set<string>();
    for (const theCase of cases) {
      const bare = await readThrough(theCase, 'none');
      const encoded = await readThrough(theCase, 'spotlight', { mode: 'encoding' });
      const tagged = await readThrough(theCase, 'delimit');
      for (const { text } of theCase.injections) {
        if (!holds(bare, text)) continue;
        read.add(theCase.scenario.channel);
        if (holds(encoded, text) || !enclosed(tagged, text)) {
          missed.push(`${theCase.scenario.id}: ${text.slice(0, 60)}`);
        }
      }
    }
    expect(missed).toEqual([]);
    const channels = new Set(cases.map(({ scenario }) => scenario.channel));
    expect([...channels].filter((channel) => !read.has(channel))).toEqual([]);
  });
});
