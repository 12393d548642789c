import { field, listField, pick, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import { type Importer, rowsToTexts, type TextDraft } from './importer.js';

function draftOf(value: unknown): TextDraft | string {
  const text = textField(value, 'prompt');
  if (text === undefined || text === '') return 'expected "prompt"';
  return { text, label: 'benign', meta: pick(value, ['word_list', 'category']) };
}

/** NotInject: benign prompts that contain words which detectors have learnt to fear. */
export const notinject: Importer = {
  name: 'notinject',
  title: 'NotInject',
  url: 'https://github.com/leolee99/PIGuard',
  licence: () => 'MIT',
  recognises: ({ rows }) =>
    rows.some(
      (row) =>
        textField(row, 'prompt') !== undefined &&
        listField(row, 'word_list') !== undefined &&
        field(row, 'label') === undefined,
    ),
  units: (context) =>
    rowsToTexts('notinject', readRows(context.source, context.read), context, draftOf),
};
