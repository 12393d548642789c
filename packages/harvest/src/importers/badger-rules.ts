import { field, isRecord, listField, pick, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import type { Unit } from '../unit.js';
import { type ImportContext, type Importer, refuse, textMaker } from './importer.js';

function rulesOf(value: unknown): readonly unknown[] | null {
  const list = listField(value, 'rules');
  if (list !== undefined) return list;
  return isRecord(field(value, 'tests')) ? [value] : null;
}

async function* units(context: ImportContext): AsyncGenerator<Unit> {
  const make = textMaker('promptbadger', context);
  for await (const item of readRows(context.source, context.read)) {
    if (item.kind === 'reject') {
      yield item;
      continue;
    }
    const rules = rulesOf(item.value);
    if (rules === null) {
      yield refuse(item.place, 'no rule with "tests"', item.value);
      continue;
    }
    for (const rule of rules) {
      const tests = field(rule, 'tests');
      const meta = pick(rule, ['id', 'title', 'severity', 'tags']);
      for (const [name, label] of [
        ['match', 'attack'],
        ['no_match', 'benign'],
      ] as const) {
        for (const [index, text] of (listField(tests, name) ?? []).entries()) {
          const path = `${item.place.path ?? '$'}.tests.${name}[${index}]`;
          const place = { ...item.place, path: `${textField(rule, 'id') ?? '?'} ${path}` };
          yield typeof text === 'string'
            ? make({ text, label, reason: 'a test of a rule', meta }, place, item.notes)
            : refuse(place, 'a test that is not text (": " in YAML makes a map of it)', text);
        }
      }
    }
  }
}

/** Rules in promptbadger's form: each test of a rule is a labelled text. */
export const badgerRules: Importer = {
  name: 'promptbadger',
  title: 'promptbadger rules',
  url: 'https://github.com/cyberchup/promptbadger',
  licence: () => null,
  recognises: ({ rows }) =>
    rows.some((row) =>
      (rulesOf(row) ?? []).some((rule) => listField(field(rule, 'tests'), 'match') !== undefined),
    ),
  units,
};
