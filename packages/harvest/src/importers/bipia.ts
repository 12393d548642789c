import { HarvestError } from '../errors.js';
import { field, isRecord, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import { type Place, type ReadItem, reject } from '../row.js';
import type { ByteSource } from '../source.js';
import type { Unit } from '../unit.js';
import { bipiaRule } from './bipia-oracles.js';
import {
  companion,
  type ImportContext,
  type Importer,
  refuse,
  type Sample,
  stemOf,
  textMaker,
} from './importer.js';
import {
  hasPlaceholder,
  idNumber,
  idPart,
  pastedScenario,
  scenarioMaker,
  TEXT_WORLD,
} from './scenario-maker.js';

const URL = 'https://github.com/microsoft/BIPIA';
const POSITIONS = ['start', 'middle', 'end'] as const;
type Position = (typeof POSITIONS)[number];
type Task = 'code' | 'email' | 'table';

interface Attack {
  readonly category: string;
  readonly text: string;
  readonly number: number;
}

interface Context {
  readonly task: Task;
  readonly context: string;
  readonly prompt: string;
  readonly ideal: unknown;
}

/** A text, or lines of one. */
function joined(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(String).join('\n') : undefined;
}

function isAttackMap(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.keys(value).length > 1 &&
    Object.values(value).every(
      (item) =>
        Array.isArray(item) && item.length > 0 && item.every((text) => typeof text === 'string'),
    )
  );
}

function isContext(value: unknown): boolean {
  return (
    field(value, 'context') !== undefined &&
    field(value, 'ideal') !== undefined &&
    (field(value, 'question') !== undefined || field(value, 'code') !== undefined) &&
    field(value, 'target_inst') === undefined
  );
}

function readContext(value: unknown, name: string): Context | string {
  const context = joined(field(value, 'context'));
  if (context === undefined) return 'expected "context"';
  const ideal = field(value, 'ideal');
  const question = textField(value, 'question');
  const code = joined(field(value, 'code'));
  if (code !== undefined) {
    const error = joined(field(value, 'error')) ?? '';
    const prompt = `My code fails. Use the answer below to mend it.\n\nCode:\n${code}\n\nError:\n${error}`;
    return { task: 'code', context, prompt, ideal };
  }
  if (question === undefined) return 'expected "question" or "code"';
  return { task: /table/iu.test(name) ? 'table' : 'email', context, prompt: question, ideal };
}

function attacksOf(value: unknown): Attack[] {
  if (!isRecord(value)) return [];
  const attacks: Attack[] = [];
  for (const [category, texts] of Object.entries(value)) {
    for (const text of Array.isArray(texts) ? texts : []) {
      if (typeof text === 'string') attacks.push({ category, text, number: attacks.length + 1 });
    }
  }
  return attacks;
}

async function readAttacks(context: ImportContext, task: Task): Promise<Attack[]> {
  const kind = task === 'code' ? 'code' : 'text';
  const part = /train/iu.test(context.source.name) ? 'train' : 'test';
  const names = [`${kind}_attack_${part}.json`];
  const file: ByteSource | null =
    (await companion(context, names)) ??
    context.others.find(({ name }) => name.includes(`${kind}_attack`)) ??
    null;
  if (file === null) {
    throw new HarvestError(
      'missing-file',
      `${context.source.name} needs ${names.join()} beside it, or named in the same command`,
    );
  }
  for await (const item of readRows(file, { ...context.read, entries: false })) {
    if (item.kind === 'row') return attacksOf(item.value);
  }
  return [];
}

/** The context with the slot at its start, after the sentence or line nearest its middle, or at its end. */
export function withSlotAt(context: string, position: Position): string {
  if (position === 'start') return `{{payload}}\n${context}`;
  if (position === 'end') return `${context}\n{{payload}}`;
  const middle = Math.floor(context.length / 2);
  // Where there is neither sentence nor line: the word nearest the middle, or the middle.
  const space = context.indexOf(' ', middle);
  let best = space === -1 ? middle : space;
  let found = false;
  for (const { index, 0: mark } of context.matchAll(/[.!?](?=\s)|\n/gu)) {
    const at = index + mark.length;
    if (at >= context.length) break;
    if (!found || Math.abs(at - middle) < Math.abs(best - middle)) best = at;
    else if (at > middle) break;
    found = true;
  }
  return `${context.slice(0, best)}\n{{payload}}\n${context.slice(best)}`;
}

async function* expand(
  context: ImportContext,
  items: AsyncIterable<ReadItem>,
): AsyncGenerator<Unit> {
  const make = textMaker('bipia', context);
  const maker = scenarioMaker();
  const world = maker.world(TEXT_WORLD);
  const stem = idPart(stemOf(context.source.name));
  let attacks: readonly Attack[] | null = null;
  let row = 0;
  for await (const item of items) {
    row += 1;
    if (item.kind === 'reject') {
      yield item;
      continue;
    }
    const read = readContext(item.value, context.source.name);
    if (typeof read === 'string') {
      yield refuse(item.place, read, item.value);
      continue;
    }
    attacks ??= await readAttacks(context, read.task);
    for (const attack of attacks) {
      const rule = bipiaRule(attack.category, attack.text);
      for (const position of POSITIONS) {
        const pasted = withSlotAt(read.context, position);
        const place: Place = {
          ...item.place,
          path: `${attack.category}[${attack.number}] ${position}`,
        };
        const meta = {
          category: attack.category,
          position,
          task: read.task,
          payload: attack.text,
          question: read.prompt,
        };
        const taken =
          hasPlaceholder(read.context) ||
          hasPlaceholder(attack.text) ||
          hasPlaceholder(read.prompt);
        if (rule === null || taken) {
          const reason = rule === null ? 'success needs a judge' : 'has text in double braces';
          const text = pasted.replace('{{payload}}', () => attack.text);
          yield make({ text, label: 'attack', reason, meta }, place, item.notes);
          continue;
        }
        const draft = pastedScenario({
          id: `bipia-${stem}-${idNumber(row)}-${idNumber(attack.number)}-${position}`,
          title: `${read.task}: ${attack.category}, ${position}`,
          description: `An instruction of the category ${attack.category} stands at the ${position} of the ${read.task} that the user asks about.`,
          url: URL,
          year: 2023,
          source: 'BIPIA',
          tags: ['bipia', read.task, position],
          licence: context.licence,
          channel: read.task === 'email' ? 'email' : read.task === 'code' ? 'code' : 'spreadsheet',
          family: read.task === 'code' ? 'supply_chain' : 'task_aligned',
          goal: rule.goal,
          taskId: `bipia:${stem}:${row}`,
          prompt: read.prompt,
          pasted,
          payload: attack.text,
          benign: '',
          compromised: rule.compromised,
        });
        yield maker.make(draft, world, place, item.notes);
      }
    }
  }
}

async function* attackTexts(
  context: ImportContext,
  items: AsyncIterable<ReadItem>,
): AsyncGenerator<Unit> {
  const make = textMaker('bipia', context);
  for await (const item of items) {
    if (item.kind === 'reject') yield item;
    else if (!isAttackMap(item.value))
      yield reject(item.place, 'expected categories with lists of attacks');
    else {
      for (const { category, text, number } of attacksOf(item.value)) {
        const place = { ...item.place, path: `$[${JSON.stringify(category)}] ${number}` };
        yield make(
          { text, label: 'attack', reason: 'an attack without a context', meta: { category } },
          place,
          item.notes,
        );
      }
    }
  }
}

async function* units(context: ImportContext): AsyncGenerator<Unit> {
  const items = readRows(context.source, { ...context.read, entries: false });
  yield* /_attack_?/iu.test(context.source.name)
    ? attackTexts(context, items)
    : expand(context, items);
}

/** BIPIA: each context × each attack × start, middle and end. */
export const bipia: Importer = {
  name: 'bipia',
  title: 'BIPIA',
  url: URL,
  licence: () => 'CC-BY-SA-4.0',
  recognises: ({ name, rows }: Sample) =>
    rows.some(isContext) || (/(?:text|code)_attack/iu.test(name) && rows.some(isAttackMap)),
  units,
};
