import { field, isRecord, listField, scalarField, textField } from '../fields.js';
import type { Place, ReadRow } from '../row.js';
import { deliveredInText } from './fold-delivery.js';
import { inspectVerdict } from './inspect-scores.js';
import { messagesOf } from './messages.js';
import type { RecordedItem, RecordedTrial } from './recorded-trial.js';
import {
  type FileContext,
  type FileReader,
  fileStem,
  type RunReader,
  refuseRow,
} from './run-reader.js';

/** What the header of a log says of all its samples. */
interface Header {
  readonly model: string;
  readonly task: string;
  readonly status: string;
}

const ATTACK_KEYS = ['injection_task_id', 'injection_task', 'injections', 'injection', 'payload'];
const GOAL_KEYS = ['injection_task_id', 'injection_task', 'goal', 'injection', 'payload'];

function headerOf(value: unknown): Header | null {
  const evaluation = field(value, 'eval');
  const task = textField(evaluation, 'task');
  if (task === undefined) return null;
  return {
    task,
    model: textField(evaluation, 'model') ?? '',
    status: textField(value, 'status') ?? '',
  };
}

/** Long texts stand once in `attachments`, and `attachment://<hash>` where they belong. */
function withAttachments(value: unknown, attachments: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith('attachment://')
      ? (textField(attachments, value.slice('attachment://'.length)) ?? value)
      : value;
  }
  if (Array.isArray(value)) return value.map((item) => withAttachments(item, attachments));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withAttachments(item, attachments)]),
  );
}

function conversation(sample: unknown): readonly unknown[] {
  const messages = listField(sample, 'messages') ?? [];
  const attachments = field(sample, 'attachments');
  return isRecord(attachments) && Object.keys(attachments).length > 0
    ? messages.map((message) => withAttachments(message, attachments))
    : messages;
}

function injectedTexts(metadata: unknown): string[] {
  const texts: string[] = [];
  for (const key of ['injections', 'injection', 'payload']) {
    const found = field(metadata, key);
    const values = isRecord(found) ? Object.values(found) : Array.isArray(found) ? found : [found];
    for (const text of values) if (typeof text === 'string' && text !== '') texts.push(text);
  }
  return texts;
}

function delivery(sample: unknown, metadata: unknown): boolean | null {
  const injected = injectedTexts(metadata);
  // Our own exports say what was delivered, because they hold no injected text.
  const said = textField(metadata, 'delivered');
  if (injected.length === 0) return said === undefined ? null : said !== 'none';
  const results = messagesOf(conversation(sample)).filter(({ role }) => role === 'tool');
  const texts = results.flatMap(({ parts }) => parts.map(({ text }) => text));
  return deliveredInText(injected, texts);
}

function filled(value: unknown): boolean {
  return isRecord(value)
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '' && value !== false;
}

function errorOf(sample: unknown): string | null {
  const error = field(sample, 'error');
  if (error === null || error === undefined) return null;
  return (typeof error === 'string' ? error : textField(error, 'message')) || 'the sample failed';
}

/** A sample without what only the header knows. */
type Draft = (header: Header) => RecordedTrial;

function readSample(sample: unknown, place: Place, notes: readonly string[]): Draft | string {
  const id = scalarField(sample, 'id');
  if (id === undefined || field(sample, 'messages') === undefined) {
    return 'a sample needs id and messages';
  }
  const metadata = field(sample, 'metadata');
  const epoch = field(sample, 'epoch');
  const marked =
    ATTACK_KEYS.some((key) => filled(field(metadata, key))) ||
    textField(metadata, 'variant') === 'attack';
  const delivered = marked ? delivery(sample, metadata) : null;
  const goal = GOAL_KEYS.map((key) => scalarField(metadata, key)).find(filled);
  const userTask = scalarField(metadata, 'user_task_id') ?? scalarField(metadata, 'taskId');
  const scores = field(sample, 'scores');
  const error = errorOf(sample);
  return ({ model, task, status }) => {
    const verdict = inspectVerdict(scores, task);
    const attack = marked || verdict.compromised !== null;
    const all = [...notes, ...verdict.notes];
    if (status !== '' && status !== 'success') all.push(`the log ended with status ${status}`);
    return {
      kind: 'trial',
      format: 'inspect',
      place,
      purpose: attack ? 'attack' : 'benign',
      pipeline: model === '' ? fileStem(place.file) : model,
      suite: textField(metadata, 'suite_name') ?? textField(metadata, 'world') ?? task,
      task: userTask ?? id,
      goal: attack ? (goal ?? id) : null,
      attack: attack ? (scalarField(metadata, 'attack') ?? null) : null,
      verdict:
        error === null
          ? { compromised: attack ? verdict.compromised : null, useful: verdict.useful }
          : { compromised: null, useful: null },
      delivered,
      error,
      repeat: typeof epoch === 'number' && Number.isSafeInteger(epoch) && epoch > 0 ? epoch - 1 : 0,
      notes: all,
      messages: () => messagesOf(conversation(sample)),
    };
  };
}

function* readDocument(
  { value, place, notes = [] }: ReadRow,
  header: Header,
): Generator<RecordedItem> {
  const samples = listField(value, 'samples') ?? [];
  for (const [index, sample] of samples.entries()) {
    const at: Place = { file: place.file, path: `$.samples[${index}]` };
    const draft = readSample(sample, at, notes);
    yield typeof draft === 'string' ? refuseRow(at, draft, sample) : draft(header);
  }
}

function named(options: FileContext['options'], header: Header): Header {
  return options.pipeline === undefined ? header : { ...header, model: options.pipeline };
}

/** The members of an `.eval`, in which the header comes last: samples wait for it, or for the journal's start. */
function openLog({ name, options }: FileContext): FileReader {
  let header: Header | null = null;
  let waiting: Draft[] = [];
  const release = function* (known: Header): Generator<RecordedItem> {
    const drafts = waiting;
    waiting = [];
    for (const draft of drafts) yield draft(known);
  };
  return {
    *row(row) {
      const { value, place, notes = [] } = row;
      const member = place.file.slice(place.file.lastIndexOf('!') + 1);
      const inside = place.file !== member;
      const found = headerOf(value);
      if (found !== null) {
        header = named(options, found);
        yield* release(header);
        yield* readDocument(row, header);
        return;
      }
      if (inside && !/(?:^|\/)samples\/[^/]+\.json$/u.test(member)) return;
      const draft = readSample(value, place, notes);
      if (typeof draft === 'string') {
        yield refuseRow(place, `not an Inspect log: ${draft}`, value);
      } else if (header === null) waiting.push(draft);
      else yield draft(header);
    },
    *end() {
      yield* release(named(options, { model: '', task: fileStem(name), status: 'unfinished' }));
    },
  };
}

/** Logs of Inspect, as `.json` or as `.eval`, which is a zip of JSON files. */
export const inspectRuns: RunReader = {
  format: 'inspect',
  title: 'an Inspect log',
  recognises: (value) =>
    (headerOf(value) !== null && field(value, 'version') !== undefined) ||
    (field(value, 'epoch') !== undefined &&
      field(value, 'messages') !== undefined &&
      field(value, 'target') !== undefined),
  group: (name) => {
    const at = name.search(/\.eval!/iu);
    return at === -1 ? name : name.slice(0, at + '.eval'.length);
  },
  open: openLog,
};
