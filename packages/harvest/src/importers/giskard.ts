import { field, pick, textField } from '../fields.js';
import { parsePythonLiteral } from '../readers/python-literal.js';
import { readRows } from '../readers/read-rows.js';
import {
  companion,
  type ImportContext,
  type Importer,
  rowsToTexts,
  type TextDraft,
} from './importer.js';

async function expectedStrings(context: ImportContext): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const file = await companion(context, [
    'giskard_meta_data.csv',
    'prompt_injections_meta_data.csv',
  ]);
  if (file === null) return found;
  for await (const item of readRows(file, context.read)) {
    if (item.kind === 'reject') continue;
    const index = textField(item.value, 'index');
    const strings = textField(item.value, 'expected_strings');
    if (index === undefined || strings === undefined) continue;
    // A Python repr in a cell; a plain word is itself.
    const parsed = parsePythonLiteral(strings);
    found.set(index, parsed.ok ? parsed.value : strings);
  }
  return found;
}

/** Giskard's prompt injections (CSV), with the strings that a reply is expected to have where that file is at hand. */
export const giskard: Importer = {
  name: 'giskard',
  title: 'Giskard prompt injections',
  url: 'https://github.com/Giskard-AI/prompt-injections',
  licence: () => 'MIT',
  recognises: ({ rows }) =>
    rows.some(
      (row) =>
        textField(row, 'prompt') !== undefined &&
        textField(row, 'group') !== undefined &&
        textField(row, 'name') !== undefined &&
        textField(row, 'language') !== undefined,
    ),
  units: async function* (context) {
    const expected = await expectedStrings(context);
    const draftOf = (value: unknown): TextDraft | string => {
      const text = textField(value, 'prompt');
      if (text === undefined || text === '') return 'expected "prompt"';
      const strings = expected.get(textField(value, 'index') ?? '');
      const meta = {
        ...pick(value, ['index', 'name', 'group', 'source', 'language']),
        ...(strings === undefined ? {} : { expected_strings: strings }),
      };
      return {
        text,
        label: field(value, 'group') === 'Control' ? 'benign' : 'attack',
        reason: 'the prompt stands alone: no task and no world',
        meta,
      };
    };
    yield* rowsToTexts('giskard', readRows(context.source, context.read), context, draftOf);
  },
};
