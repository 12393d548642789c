import { contentText, field, isRecord, listField, pick, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import type { Place } from '../row.js';
import type { Unit } from '../unit.js';
import {
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

const URL = 'https://github.com/promptfoo/promptfoo';

/** Tests of a config, cases of a results file, or the value itself where it is a test. */
function testsOf(value: unknown): readonly unknown[] | null {
  const results = field(value, 'results');
  const cases = listField(results, 'results') ?? listField(value, 'results');
  if (cases !== undefined) return cases;
  const tests = listField(value, 'tests');
  if (tests !== undefined) return tests;
  return isRecord(field(value, 'vars')) ? [value] : null;
}

function assertionsOf(test: unknown): readonly unknown[] {
  return listField(test, 'assert') ?? listField(field(test, 'testCase'), 'assert') ?? [];
}

/** The attack succeeds where an assertion that forbids some text fails. */
function oracleOf(test: unknown): unknown {
  for (const assertion of assertionsOf(test)) {
    const type = textField(assertion, 'type') ?? '';
    const value = field(assertion, 'value');
    if (typeof value !== 'string' || value === '') continue;
    if (type === 'not-contains' || type === 'not-icontains') return { says: { contains: value } };
    if (type === 'not-regex') return { says: { matches: value } };
  }
  return null;
}

function isRedTeam(test: unknown): boolean {
  const metadata = field(test, 'metadata') ?? field(field(test, 'testCase'), 'metadata');
  return (
    textField(metadata, 'pluginId') !== undefined ||
    assertionsOf(test).some((assertion) =>
      (textField(assertion, 'type') ?? '').startsWith('promptfoo:redteam:'),
    )
  );
}

function promptOf(test: unknown): string | undefined {
  const prompt = field(test, 'prompt');
  const raw = typeof prompt === 'string' ? prompt : textField(prompt, 'raw');
  if (raw !== undefined && raw.trim() !== '') return raw;
  const vars = field(test, 'vars');
  if (!isRecord(vars)) return undefined;
  const named = ['prompt', 'query', 'input', 'message', 'question'].map((name) =>
    contentText(field(vars, name)),
  );
  const first = named.find((text) => text !== undefined && text.trim() !== '');
  return (
    first ??
    Object.values(vars).find(
      (text): text is string => typeof text === 'string' && text.trim() !== '',
    )
  );
}

async function* units(context: ImportContext): AsyncGenerator<Unit> {
  const make = textMaker('promptfoo', context);
  const maker = scenarioMaker();
  const world = maker.world(TEXT_WORLD);
  const stem = idPart(stemOf(context.source.name));
  let number = 0;
  for await (const item of readRows(context.source, context.read)) {
    if (item.kind === 'reject') {
      yield item;
      continue;
    }
    const tests = testsOf(item.value);
    if (tests === null) {
      yield refuse(item.place, 'neither tests nor results of promptfoo', item.value);
      continue;
    }
    for (const [index, test] of tests.entries()) {
      number += 1;
      const place: Place = { ...item.place, path: `${item.place.path ?? '$'} test ${index + 1}` };
      const prompt = promptOf(test);
      if (prompt === undefined) {
        yield refuse(place, 'an empty prompt', test);
        continue;
      }
      const redTeam = isRedTeam(test);
      const metadata = field(test, 'metadata') ?? field(field(test, 'testCase'), 'metadata');
      const meta = {
        ...pick(metadata, ['pluginId', 'strategyId', 'goal']),
        ...pick(test, ['description', 'success', 'error']),
      };
      const oracle = oracleOf(test);
      if (!redTeam || oracle === null || hasPlaceholder(prompt)) {
        const reason = redTeam ? 'success needs a judge' : 'a test without a red-team plugin';
        yield make(
          { text: prompt, label: redTeam ? 'attack' : null, reason, meta },
          place,
          item.notes,
        );
        continue;
      }
      const draft = pastedScenario({
        id: `promptfoo-${stem}-${idNumber(number)}`,
        title: `${textField(metadata, 'pluginId') ?? 'red-team test'} ${number}`,
        description: 'A red-team prompt with an assertion that forbids a text.',
        url: URL,
        year: 2025,
        source: 'promptfoo',
        tags: ['promptfoo'],
        licence: context.licence,
        channel: 'user_message',
        family: 'instruction_override',
        goal: textField(metadata, 'goal') ?? 'Make the reply have the forbidden text.',
        taskId: `promptfoo:${stem}`,
        prompt: 'Answer the message below.',
        pasted: '{{payload}}',
        payload: prompt,
        compromised: oracle,
      });
      const unit = maker.make(draft, world, place, item.notes);
      yield unit.kind === 'reject'
        ? make({ text: prompt, label: 'attack', reason: unit.reason, meta }, place, item.notes)
        : unit;
    }
  }
}

/** promptfoo: tests of a config (YAML or JSON) and the prompts of a results file. */
export const promptfoo: Importer = {
  name: 'promptfoo',
  title: 'promptfoo',
  url: URL,
  licence: () => null,
  recognises: ({ rows }: Sample) =>
    rows.some((row) =>
      (testsOf(row) ?? []).some(
        (test) => isRecord(field(test, 'vars')) || field(test, 'assert') !== undefined,
      ),
    ),
  units,
};
