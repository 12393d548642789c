import { isArray, isObject, type JsonObject, type JsonValue } from '@pab/model';
import type { RunManifest } from '../run/manifest.js';

type Kind = (value: JsonValue | undefined) => boolean;

const text: Kind = (value) => typeof value === 'string';
const flag: Kind = (value) => typeof value === 'boolean';
const whole: Kind = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const object: Kind = isObject;
const texts: Kind = (value) => isArray(value) && value.every((item) => typeof item === 'string');
const digest: Kind = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const time: Kind = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const within =
  (low: number, high: number): Kind =>
  (value) =>
    whole(value) && Number(value) >= low && Number(value) <= high;

const FIELDS: readonly (readonly [path: string, kind: Kind, wanted: string])[] = [
  ['schema', (value) => value === 1, '1'],
  ['corpus.name', text, 'a text'],
  ['corpus.version', text, 'a text'],
  ['corpus.sha256', digest, 'a SHA-256 in hex'],
  ['corpus.attacks', whole, 'a whole number'],
  ['corpus.controls', whole, 'a whole number'],
  ['target.name', text, 'a text'],
  ['target.options', object, 'an object'],
  ['target.simulated', flag, 'true or false'],
  ['defense.name', text, 'a text'],
  ['defense.options', object, 'an object'],
  ['seed', whole, 'a whole number'],
  ['trials', within(1, 10_000), 'a whole number from 1 to 10000'],
  ['maxSteps', within(1, 1000), 'a whole number from 1 to 1000'],
  ['timeoutMs', (value) => value === null || typeof value === 'number', 'a number or null'],
  ['provenance', (value) => value === 'part' || value === 'message', 'part or message'],
  ['resamples', within(100, 1_000_000), 'a whole number from 100 to 1000000'],
  ['selection', object, 'an object'],
  ['official', flag, 'true or false'],
  ['corpusPaths', texts, 'a list of texts'],
  ['versions.pab', text, 'a text'],
  ['versions.judge', text, 'a text'],
  ['versions.node', text, 'a text'],
  ['versions.packages', object, 'an object'],
  ['result', object, 'an object: a run that was not finished has none; go on with --resume'],
  ['result.started', time, 'a time in UTC'],
  ['result.ended', time, 'a time in UTC'],
  ['result.planned', whole, 'a whole number'],
  ['result.done', whole, 'a whole number'],
  ['result.errors', whole, 'a whole number'],
  ['result.modelIds', texts, 'a list of texts'],
  ['result.trialsSha256', digest, 'a SHA-256 in hex'],
  ['result.manifestSha256', digest, 'a SHA-256 in hex'],
];

const SELECTION: Readonly<Record<string, Kind>> = {
  channels: texts,
  families: texts,
  ids: texts,
  kinds: texts,
  limit: within(1, Number.MAX_SAFE_INTEGER),
  twins: flag,
};

export interface ManifestProblem {
  readonly field: string;
  readonly wanted: string;
}

export type ParsedManifest =
  | { readonly ok: true; readonly manifest: FinishedManifest }
  | { readonly ok: false; readonly problem: ManifestProblem };

/** A manifest of a run that came to its end. */
export type FinishedManifest = RunManifest & {
  readonly result: NonNullable<RunManifest['result']>;
};

function at(value: JsonValue, path: string): JsonValue | undefined {
  let held: JsonValue | undefined = value;
  for (const step of path.split('.')) {
    held = isObject(held) && Object.hasOwn(held, step) ? held[step] : undefined;
  }
  return held;
}

function isShard(value: JsonValue | undefined): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { index, of } = value as { readonly index?: JsonValue; readonly of?: JsonValue };
  return whole(index) && whole(of) && Number(index) >= 1 && Number(index) <= Number(of);
}

/** Reads `manifest.json` of a finished run. */
export function parseManifest(value: JsonValue): ParsedManifest {
  for (const [field, kind, wanted] of FIELDS) {
    if (!kind(at(value, field))) return { ok: false, problem: { field, wanted } };
  }
  if (!isShard(at(value, 'shard'))) {
    return { ok: false, problem: { field: 'shard', wanted: 'null, or index and of' } };
  }
  const selection = at(value, 'selection') as JsonObject;
  for (const [name, held] of Object.entries(selection)) {
    const kind = Object.hasOwn(SELECTION, name) ? SELECTION[name] : undefined;
    if (kind?.(held) !== true) {
      return { ok: false, problem: { field: `selection.${name}`, wanted: 'a known filter' } };
    }
  }
  return { ok: true, manifest: value as unknown as FinishedManifest };
}
