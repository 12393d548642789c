import { field, isRecord, pick, textField } from '../fields.js';
import { parseJson } from '../readers/parse-json.js';
import { readRows } from '../readers/read-rows.js';
import { type Importer, rowsToTexts, type TextDraft } from './importer.js';

const FLAGS = 5;

/**
 * Whether a submission reached all its objectives: the map has entries and each is true. An empty map is
 * what a run that broke off leaves, so it never counts.
 */
export function reachedAll(objectives: unknown): boolean | null {
  let flags = objectives;
  if (typeof objectives === 'string') {
    const parsed = parseJson(objectives);
    if (!parsed.ok) return null;
    flags = parsed.value;
  }
  if (!isRecord(flags)) return null;
  const values = Object.values(flags);
  return values.length >= FLAGS && values.every((flag) => flag === true);
}

function mailText(subject: string, body: string): string {
  return subject === '' ? body : `Subject: ${subject}\n\n${body}`;
}

function fromSubmission(value: unknown): TextDraft | string {
  const body = textField(value, 'body');
  if (body === undefined) return 'expected "body"';
  const success = reachedAll(field(value, 'objectives'));
  if (success === null && field(value, 'objectives') !== undefined)
    return '"objectives" is not a map of flags';
  return {
    text: mailText(textField(value, 'subject') ?? '', body),
    label: 'attack',
    reason: 'the agent of the challenge is not at hand',
    meta: {
      ...pick(value, ['scenario', 'team_id', 'RowKey', 'objectives']),
      success: success === true,
    },
  };
}

function attemptLabel(value: unknown): TextDraft['label'] {
  const attempt = field(value, 'attack_attempt');
  const text = typeof attempt === 'string' ? attempt.trim().toLowerCase() : attempt;
  if (text === 'true' || text === true) return 'attack';
  // `False` means that a judge saw no attempt, not that the mail is clean.
  return null;
}

function fromLabelled(key: string, value: unknown): TextDraft | string {
  const label = attemptLabel(value);
  const meta = pick(value, ['attack_attempt', 'reason', 'team_id', 'scenario']);
  if (key.trim() === '') return 'an empty mail';
  return label === 'attack'
    ? { text: key, label, meta }
    : {
        text: key,
        label,
        reason: 'judged to be no attempt, which does not make it clean mail',
        meta,
      };
}

function draftOf(value: unknown): TextDraft | string {
  if (typeof value === 'string') return { text: value, label: 'benign' };
  const key = textField(value, 'key');
  if (key !== undefined && isRecord(field(value, 'value')))
    return fromLabelled(key, field(value, 'value'));
  if (
    textField(value, 'body') !== undefined &&
    field(value, 'objectives') === undefined &&
    field(value, 'scenario') === undefined
  ) {
    return {
      text: mailText(textField(value, 'subject') ?? '', textField(value, 'body') ?? ''),
      label: 'benign',
    };
  }
  return fromSubmission(value);
}

/** LLMail-Inject: raw submissions, labelled unique submissions, and the benign mails for false positives. */
export const llmail: Importer = {
  name: 'llmail',
  title: 'LLMail-Inject',
  url: 'https://huggingface.co/datasets/microsoft/llmail-inject-challenge',
  licence: () => 'MIT',
  recognises: ({ name, rows }) =>
    rows.some(
      (row) => textField(row, 'body') !== undefined && field(row, 'objectives') !== undefined,
    ) || /(?:emails_for_fp_tests|labelled_unique_submissions)/iu.test(name),
  units: (context) =>
    rowsToTexts(
      'llmail',
      readRows(context.source, { ...context.read, entries: true }),
      context,
      draftOf,
    ),
};
