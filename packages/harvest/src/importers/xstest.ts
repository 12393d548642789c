import { pick, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import { type Importer, rowsToTexts, type TextDraft } from './importer.js';

function draftOf(value: unknown): TextDraft | string {
  const text = textField(value, 'prompt');
  if (text === undefined || text === '') return 'expected "prompt"';
  const kind = textField(value, 'type') ?? '';
  const label = textField(value, 'label') ?? (kind.startsWith('contrast_') ? 'unsafe' : 'safe');
  const meta = { harm: label, ...pick(value, ['id', 'type', 'focus', 'note', 'final_label']) };
  return label === 'safe'
    ? { text, label: 'benign', reason: 'the label is harm, not injection', meta }
    : { text, label: null, reason: 'the label is harm, not injection', meta };
}

/** XSTest: safe and unsafe requests. Its label is harm: a safe prompt holds no injection, an unsafe one says nothing of it. */
export const xstest: Importer = {
  name: 'xstest',
  title: 'XSTest',
  url: 'https://github.com/paul-rottger/xstest',
  licence: () => 'CC-BY-4.0',
  recognises: ({ rows }) =>
    rows.some(
      (row) =>
        textField(row, 'prompt') !== undefined &&
        textField(row, 'type') !== undefined &&
        (textField(row, 'focus') !== undefined || textField(row, 'final_label') !== undefined),
    ),
  units: (context) =>
    rowsToTexts('xstest', readRows(context.source, context.read), context, draftOf),
};
