import {
  type Defense,
  eachString,
  type Message,
  type Part,
  partsText,
  type Task,
  type ToolSpec,
} from '@pab/model';
import { describe, expect, it } from 'vitest';
import {
  badger,
  compose,
  type DefenseResources,
  defenseFrom,
  defenses,
  spotlight,
} from '../src/index.js';
import { PLACEMENTS, type Placed, type Placement, task } from './fixture/placements.js';
import { through } from './fixture/through.js';
import { wordDetector } from './fixture/words.js';

const resources: DefenseResources = {
  detector: wordDetector(),
  fetch: (_url, { body }) =>
    Promise.resolve({
      ok: true,
      status: 200,
      text: () => Promise.resolve(JSON.stringify({ flagged: body.includes('ignore') })),
    }),
};

const textsOf = (
  parts: readonly Part[],
  provenance: Part['provenance'] = 'system',
): readonly string[] =>
  parts.filter((part) => part.provenance === provenance).map(({ text }) => text);

/**
 * What happened to the parts of one list: `=` the same parts, `~` a part from outside was changed, `-` one is gone, `+` system text was
 * put beside it. Parts of others that are not there any more are `!`, which must not be.
 */
function changeOf(before: readonly Part[], after: readonly Part[]): string {
  const outsideBefore = textsOf(before, 'environment');
  const outsideAfter = textsOf(after, 'environment');
  const trusted = before.filter(({ provenance }) => provenance !== 'environment');
  const marks = [
    trusted.every((part) => after.includes(part)) ? '' : '!',
    outsideAfter.length < outsideBefore.length ? '-' : '',
    outsideAfter.some((text) => !outsideBefore.includes(text)) ? '~' : '',
    textsOf(after).length > textsOf(before).length ? '+' : '',
  ];
  return marks.join('') || '=';
}

function schemaText({ parameters }: ToolSpec): string {
  const texts: string[] = [];
  eachString(parameters, (text) => texts.push(text));
  return texts.join('\n');
}

function messageChange(before: readonly Message[], after: readonly Message[]): string {
  const offset = after.length - before.length;
  const holder = before.findIndex(({ parts }) =>
    parts.some(({ provenance }) => provenance === 'environment'),
  );
  const held = before[holder];
  return held === undefined ? '' : changeOf(held.parts, after[holder + offset]?.parts ?? []);
}

function toolChange(before: Task, after: Task): string {
  const given = before.tools.at(-1);
  const left = after.tools.find(({ name }) => name === given?.name);
  if (given === undefined) return '';
  if (left === undefined) return 'gone';
  const description = changeOf(given.description, left.description);
  if (description !== '=') return description;
  return schemaText(given) === schemaText(left) ? '=' : '~';
}

const last = (messages: readonly Message[]): string => partsText(messages.at(-1)?.parts ?? []);

const system = (messages: readonly Message[]): string =>
  messages.flatMap(({ role, parts }) => (role === 'system' ? textsOf(parts) : [])).join('');

async function touched(defense: Defense, name: Placement): Promise<string> {
  const placed: Placed = PLACEMENTS[name];
  const { task: prepared, result } = await through(defense, placed);
  const given: Task = placed.kind === 'task' ? placed.task : task();
  const warned = system(prepared.messages).length > system(given.messages).length ? 's' : '';
  if (placed.kind === 'result') {
    return changeOf(placed.result.parts, result?.parts ?? []) + warned;
  }
  const own =
    name.includes('schema') || name.includes('tool')
      ? toolChange(placed.task, prepared)
      : messageChange(placed.task.messages, prepared.messages);
  const reminded =
    own === '=' &&
    last(prepared.messages) !== last(given.messages) &&
    last(prepared.messages).startsWith(last(given.messages));
  return own + (reminded ? '>' : '') + warned;
}

async function tableOf(rows: readonly (readonly [string, Defense])[]): Promise<string> {
  const names = Object.keys(PLACEMENTS) as Placement[];
  const lines = [
    `${''.padEnd(22)}${names.map((_name, index) => String(index + 1).padEnd(6)).join('')}`,
  ];
  for (const [label, defense] of rows) {
    const cells: string[] = [];
    for (const name of names) cells.push((await touched(defense, name)).padEnd(6));
    lines.push(`${label.padEnd(22)}${cells.join('')}`);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

describe('what each defense touches', () => {
  it('is this, place by place', async () => {
    const legend = Object.keys(PLACEMENTS).map((name, index) => `${index + 1} ${name}`);
    expect(legend.join('\n')).toMatchInlineSnapshot(`
      "1 one value of a result
      2 a longer value of a result
      3 a bare result
      4 an error
      5 pasted text
      6 an earlier user turn
      7 an earlier reply
      8 the operator prompt
      9 a tool description
      10 a description in a schema
      11 a value in a schema
      12 a default in a schema"
    `);
    // Model-backed defenses are shown with what they do to text; they need a model for the rest.
    const rows = Object.keys(defenses)
      .filter((name) => name !== 'tool-filter' && name !== 'spotlight' && name !== 'badger')
      .map((name): [string, Defense] => [
        name,
        defenseFrom(name, name === 'http-guard' ? { url: 'https://guard.example' } : {}, resources),
      ]);
    const modes = ['delimiting', 'datamarking', 'encoding'].map((mode): [string, Defense] => [
      `spotlight ${mode}`,
      spotlight({ mode }),
    ]);
    const actions = ['drop', 'mask', 'annotate', 'block'].map((action): [string, Defense] => [
      `badger ${action}`,
      badger({ action }, { detector: wordDetector() }),
    ]);
    const both: [string, Defense] = [
      'filter+delimit',
      compose(defenseFrom('filter'), defenseFrom('delimit')),
    ];
    // =: untouched, ~: changed, -: taken out, +: marks beside it, >: followed by a reminder, s: operator prompt added to.
    expect(await tableOf([...rows, ...modes, ...actions, both])).toMatchInlineSnapshot(`
      "                      1     2     3     4     5     6     7     8     9     10    11    12
      none                  =     =     =     =     =     =     =     =     =     =     =     =
      delimit               +s    +s    +s    +s    +s    +s    +s    +s    +s    ~s    ~s    ~s
      sandwich              +     +     +     +     +     =>    =>    =>    =>    =>    =>    =>
      instructions          =s    =s    =s    =s    =s    =s    =s    +s    =s    =s    =s    =s
      filter                ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~
      allowlist             =     =     =     =     =     =     =     =     =     =     =     =
      output-guard          =     =     =     =     =     =     =     =     =     =     =     =
      canary                =s    =s    =s    =s    =s    =s    =s    +s    =s    =s    =s    =s
      taint                 =     =     =     =     =     =     =     =     =     =     =     =
      plan-lock             =     =     =     =     =     =     =     =     =     =     =     =
      dual-model            ~s    ~s    ~s    ~s    ~s    ~s    ~s    ~+s   ~s    ~s    ~s    ~s
      approval              =     =     =     =     =     =     =     =     =     =     =     =
      http-guard            -+    -+    -+    -+    ~     ~     ~     ~     ~     ~     ~     ~
      spotlight delimiting  +s    +s    +s    +s    +s    +s    +s    +s    +s    ~s    ~s    ~s
      spotlight datamarking ~s    ~s    ~s    ~s    ~s    ~s    ~s    ~+s   ~s    ~s    ~s    ~s
      spotlight encoding    ~s    ~s    ~s    ~s    ~s    ~s    ~s    ~+s   ~s    ~s    ~s    ~s
      badger drop           ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~
      badger mask           ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~
      badger annotate       ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~     ~
      badger block          -+    -+    -+    -+    ~     ~     ~     ~     ~     ~     ~     ~
      filter+delimit        ~+s   ~+s   ~+s   ~+s   ~+s   ~+s   ~+s   ~+s   ~+s   ~s    ~s    ~s"
    `);
  });
});
