import { shown } from '../check-values.js';
import { DetectError } from '../errors.js';
import { BUCKET_BITS, BUCKETS } from './ngrams.js';

/** A trained PB-ML as it stands in a JSON file. Numbers a bucket are bytes, base64-encoded. */
export interface ClassifierModel {
  readonly format: 'pb-ml';
  readonly version: 1;
  /** Version of docs/detector-ml-protocol.md that it was made under. */
  readonly protocol: number;
  readonly bucketBits: number;
  /** Inverse document frequency of bucket i: byte / 255 · `idfScale`; 0 means that the bucket is unused. */
  readonly idf: string;
  readonly idfScale: number;
  /** Weight of bucket i: (signed byte) / 127 · `weightScale`. */
  readonly weights: string;
  readonly weightScale: number;
  readonly bias: number;
  readonly calibration: { readonly slope: number; readonly offset: number };
  /** Probabilities from which a text is suspicious or malicious. */
  readonly thresholds: { readonly suspicious: number; readonly malicious: number };
  readonly lambda: number;
  readonly seed: number;
  /** What it was trained on. */
  readonly sources: readonly {
    readonly name: string;
    readonly attacks: number;
    readonly benign: number;
    /** SHA-256 of the files, in hexadecimal, in the order of their names. */
    readonly sha256: readonly string[];
  }[];
}

/** Model numbers, unpacked for scoring. */
export interface UnpackedModel {
  readonly idf: Float64Array;
  readonly weights: Float64Array;
  readonly bias: number;
  readonly calibration: { readonly slope: number; readonly offset: number };
  readonly thresholds: { readonly suspicious: number; readonly malicious: number };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 without `Buffer` or `btoa`, so that the package runs anywhere. */
export function encodeBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => ALPHABET[(group >>> shift) & 63] ?? '');
    const left = bytes.length - at;
    parts.push(
      left >= 3
        ? digits.join('')
        : digits
            .slice(0, left + 1)
            .join('')
            .padEnd(4, '='),
    );
  }
  return parts.join('');
}

function decodeBytes(text: string, length: number): Uint8Array | undefined {
  const digits = text.replace(/={1,2}$/, '');
  if (Math.floor((digits.length * 3) / 4) !== length) return undefined;
  const values = new Map(
    Array.from(ALPHABET, (digit, value): [number, number] => [digit.charCodeAt(0), value]),
  );
  const bytes = new Uint8Array(length);
  let bits = 0;
  let held = 0;
  let out = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const value = values.get(digits.charCodeAt(at));
    if (value === undefined) return undefined;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[out] = (held >>> bits) & 0xff;
      out += 1;
    }
  }
  return bytes;
}

function badModel(what: string): DetectError {
  return new DetectError('bad-model', `model: ${what}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function finite(record: Record<string, unknown>, key: string): number {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw badModel(`${key} must be a finite number`);
  }
  return value;
}

function bytesAt(record: Record<string, unknown>, key: string): Uint8Array {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  const bytes = typeof value === 'string' ? decodeBytes(value, BUCKETS) : undefined;
  if (bytes === undefined) {
    throw badModel(`${key} must be base64 of ${BUCKETS.toString()} bytes`);
  }
  return bytes;
}

function recordAt(record: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (!isRecord(value)) throw badModel(`${key} must be an object`);
  return value;
}

/**
 * Checks a model and unpacks its numbers.
 *
 * @throws {DetectError} `bad-model` when it is not a PB-ML model of a version that this package reads
 */
export function unpackModel(model: unknown): UnpackedModel {
  if (!isRecord(model) || model['format'] !== 'pb-ml') {
    throw badModel('not a pb-ml model file (format must be "pb-ml")');
  }
  if (model['version'] !== 1) {
    throw badModel(`version must be 1, found ${shown(model['version'])}`);
  }
  if (model['bucketBits'] !== BUCKET_BITS) {
    throw badModel(`bucketBits must be ${BUCKET_BITS.toString()}`);
  }
  const idfScale = finite(model, 'idfScale') / 255;
  const weightScale = finite(model, 'weightScale') / 127;
  const calibration = recordAt(model, 'calibration');
  const thresholds = recordAt(model, 'thresholds');
  const suspicious = finite(thresholds, 'suspicious');
  const malicious = finite(thresholds, 'malicious');
  if (!(suspicious >= 0 && suspicious <= malicious && malicious <= 1)) {
    throw badModel('thresholds must be 0 ≤ suspicious ≤ malicious ≤ 1');
  }
  return {
    idf: Float64Array.from(bytesAt(model, 'idf'), (byte) => byte * idfScale),
    weights: Float64Array.from(
      bytesAt(model, 'weights'),
      (byte) => ((byte << 24) >> 24) * weightScale,
    ),
    bias: finite(model, 'bias'),
    calibration: { slope: finite(calibration, 'slope'), offset: finite(calibration, 'offset') },
    thresholds: { suspicious, malicious },
  };
}
