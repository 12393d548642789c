import { createHash } from 'node:crypto';
import { canonicalJson, type Transcript, type TranscriptEntry } from '@pab/model';

export const digestText = (text: string): string => createHash('sha256').update(text).digest('hex');

// A request holds every message of the requests before it and the world's tools, a state most of the world it began with. Each of
// these is written out once: they are replaced, never changed in place.
const written = new WeakMap<object, string>();

function canonicalOnce(value: unknown): string {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const held = written.get(value);
  if (held !== undefined) return held;
  const made = canonicalJson(value);
  written.set(value, made);
  return made;
}

function canonicalField(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(canonicalOnce).join(',')}]` : canonicalOnce(value);
}

/** The same text as `canonicalJson`, put together from what two levels down is often known already. */
function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return canonicalJson(value);
  }
  const fields = Object.entries(value as Readonly<Record<string, unknown>>)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalField(field)}`).join(',')}}`;
}

/** Digest of a value's canonical JSON: of requests and states, whose keys may have come in any order. */
export const digestJson = (value: unknown): string => digestText(canonicalText(value));

// Half of a transcript is the tools of its prompts, which many trials share.
const toolTexts = new WeakMap<object, string>();

function toolText(tools: object): string {
  const held = toolTexts.get(tools);
  if (held !== undefined) return held;
  const made = JSON.stringify(tools);
  toolTexts.set(tools, made);
  return made;
}

/** JSON text, or nothing for what an object leaves out; the types of `JSON.stringify` do not say so. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}

/** Fields in their order, as `JSON.stringify` writes them, with `write` for the one that is named. */
function fieldsText<T extends object, Key extends keyof T & string>(
  value: T,
  named: Key,
  write: (field: T[Key]) => string,
): string {
  const fields: string[] = [];
  for (const [key, field] of Object.entries(value)) {
    const text = key === named ? write(value[named]) : textOf(field);
    if (text !== undefined) fields.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${fields.join(',')}}`;
}

function entryText(entry: TranscriptEntry): string {
  return entry.type === 'prompt' ? fieldsText(entry, 'tools', toolText) : JSON.stringify(entry);
}

/** The same text as `JSON.stringify`. */
export function transcriptText(transcript: Transcript): string {
  return fieldsText(transcript, 'entries', (entries) => `[${entries.map(entryText).join(',')}]`);
}

/** Digest of the JSON text of a transcript, which is also its text in the run folder: the bytes are digested as they are written. */
export const digestTranscript = (transcript: unknown): string =>
  digestText(JSON.stringify(transcript));
