import { field, pick, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import { type Importer, rowsToTexts, type TextDraft } from './importer.js';

function draftOf(value: unknown): TextDraft | string {
  const input = textField(value, 'user_input');
  if (input !== undefined) {
    const names = [
      'prompt_id',
      'test_case_prompt',
      'judge_question',
      'injection_variant',
      'injection_type',
      'risk_category',
      'speaking_language',
    ];
    return {
      text: input,
      label: 'attack',
      reason: 'success is judged by a model upstream',
      meta: pick(value, names),
    };
  }
  const prompt = textField(value, 'mutated_prompt');
  if (prompt === undefined) return 'expected "user_input" or "mutated_prompt"';
  const malicious = field(value, 'is_malicious');
  const meta = pick(value, ['is_malicious', 'attack_type', 'model']);
  return malicious === false
    ? { text: prompt, label: 'benign', meta }
    : { text: prompt, label: null, reason: 'the label is about misuse, not injection', meta };
}

/** CyberSecEval: `prompt_injection.json` (attacks) and `mitre_frr.json` (benign requests that sound hostile). */
export const cyberseceval: Importer = {
  name: 'cyberseceval',
  title: 'CyberSecEval',
  url: 'https://github.com/meta-llama/PurpleLlama',
  licence: () => 'MIT',
  recognises: ({ rows }) =>
    rows.some(
      (row) =>
        (textField(row, 'user_input') !== undefined &&
          field(row, 'injection_variant') !== undefined) ||
        textField(row, 'mutated_prompt') !== undefined,
    ),
  units: (context) =>
    rowsToTexts('cyberseceval', readRows(context.source, context.read), context, draftOf),
};
