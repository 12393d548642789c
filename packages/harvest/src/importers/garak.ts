import { contentText, field, isRecord, listField, pick, textField } from '../fields.js';
import { readRows } from '../readers/read-rows.js';
import type { ReadItem } from '../row.js';
import type { Unit } from '../unit.js';
import { type ImportContext, type Importer, refuse, type Sample, textMaker } from './importer.js';

const PROBE_DATA = 'data that probes build attacks from: no attack by itself';

function isPayloadList(row: unknown): boolean {
  return (
    textField(row, 'garak_payload_name') !== undefined && listField(row, 'payloads') !== undefined
  );
}

function isReport(row: unknown): boolean {
  return textField(row, 'entry_type') !== undefined;
}

/** The text that an attempt sent: the last user turn, in any of the layouts of the report. */
function promptOf(row: unknown): string | undefined {
  const prompt = field(row, 'prompt');
  if (typeof prompt === 'string') return prompt;
  const turns = (listField(prompt, 'turns') ?? []).filter(
    (turn) => textField(turn, 'role') !== 'system',
  );
  const last = turns.findLast((turn) => textField(turn, 'role') !== 'assistant');
  return last === undefined ? contentText(prompt) : contentText(field(last, 'content'));
}

async function* units(context: ImportContext): AsyncGenerator<Unit> {
  const make = textMaker('garak', context);
  const passed = new Map<string, number>();
  const items: AsyncIterable<ReadItem> = readRows(context.source, context.read);
  for await (const item of items) {
    if (item.kind === 'reject') {
      yield item;
      continue;
    }
    const { value, place, notes } = item;
    if (typeof value === 'string') {
      yield value.trim() === ''
        ? refuse(place, 'an empty text', value)
        : make(
            {
              text: value,
              label: 'attack',
              reason: 'the prompt stands alone: no task and no world',
            },
            place,
            notes,
          );
    } else if (isPayloadList(value)) {
      const meta = pick(value, ['garak_payload_name', 'payload_types', 'lang']);
      for (const [index, payload] of (listField(value, 'payloads') ?? []).entries()) {
        const at = { ...place, path: `${place.path ?? '$'}.payloads[${index}]` };
        yield typeof payload === 'string'
          ? make({ text: payload, label: null, reason: PROBE_DATA, meta }, at, notes)
          : refuse(at, 'a payload that is not text', payload);
      }
    } else if (isReport(value)) {
      const kind = textField(value, 'entry_type') ?? '';
      // Attempts stand in the file twice, before and after they were judged: status 2 is the judged one.
      if (kind !== 'attempt' || field(value, 'status') !== 2) {
        const what = kind === 'attempt' ? 'attempt that is not judged yet' : `"${kind}" line`;
        passed.set(what, (passed.get(what) ?? 0) + 1);
        continue;
      }
      const text = promptOf(value);
      const meta = pick(value, ['probe_classname', 'goal', 'uuid', 'detector_results', 'notes']);
      yield text === undefined || text === ''
        ? refuse(place, 'an attempt without the text of its prompt', value)
        : make(
            { text, label: 'attack', reason: 'a recorded attempt: score it with pab score', meta },
            place,
            notes,
          );
    } else
      yield refuse(
        place,
        isRecord(value) ? 'neither a payload list nor a report line' : 'not a text',
        value,
      );
  }
  for (const [what, count] of passed) context.note(`${count} × ${what}: no unit`);
}

/** garak: lists of prompts, payload data, and `report.jsonl`, whose judged attempts give texts. */
export const garak: Importer = {
  name: 'garak',
  title: 'garak',
  url: 'https://github.com/NVIDIA/garak',
  licence: () => 'Apache-2.0',
  recognises: ({ name, rows }: Sample) =>
    rows.some((row) => isPayloadList(row) || (isReport(row) && /\.report\.jsonl/iu.test(name))) ||
    (/(?:jailbreak|garak)/iu.test(name) &&
      rows.length > 0 &&
      rows.every((row) => typeof row === 'string')),
  units,
};
