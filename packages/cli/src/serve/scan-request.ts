import type { Scope } from '@pab/detect';
import { RequestProblem } from './request-problem.js';

/** A body of `POST /v1/scan…`. */
export interface ScanRequest {
  readonly text: string;
  readonly canaries: readonly string[];
  /** URLs that the user or a tool gave, or texts that hold them; for replies. */
  readonly supplied_urls: readonly string[];
  /** Values that must not travel in a URL; for replies. */
  readonly conversation_values: readonly string[];
  readonly user?: string;
  readonly session_id?: string;
  readonly content_type?: string;
  readonly content_id?: string;
  readonly source?: string;
  /** Puts the raw text into the answer. */
  readonly include_input: boolean;
}

const OPTIONAL = ['user', 'session_id', 'content_type', 'content_id', 'source'] as const;
const LONGEST_FIELD = 256;
/** Each canary and each value is looked for in many spellings; more of them would make a scan slow. */
const LISTS = {
  canaries: { most: 32, longest: LONGEST_FIELD },
  // Texts that hold URLs may be long; the limit for bodies holds them.
  supplied_urls: { most: 256, longest: Number.POSITIVE_INFINITY },
  conversation_values: { most: 64, longest: LONGEST_FIELD },
};
const KNOWN = new Set<string>(['text', ...Object.keys(LISTS), 'include_input', ...OPTIONAL]);

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function listOf(fields: ReadonlyMap<string, unknown>, name: keyof typeof LISTS): string[] {
  const { most, longest } = LISTS[name];
  const value = fields.get(name) ?? [];
  const right = isStrings(value) && value.length <= most;
  if (right && value.every((item) => item.length <= longest)) return value;
  const length = Number.isFinite(longest) ? ` of at most ${longest.toString()} characters` : '';
  throw new RequestProblem(400, `${name} must be at most ${most.toString()} strings${length}`);
}

/**
 * Checks a body.
 *
 * @throws {RequestProblem} saying what is wrong with it
 */
export function parseScanRequest(body: string, scope: Scope): ScanRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RequestProblem(400, 'the body is not JSON; send an object such as {"text": "…"}');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestProblem(400, 'the body must be a JSON object such as {"text": "…"}');
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const name of fields.keys()) {
    if (!KNOWN.has(name)) {
      throw new RequestProblem(400, `unknown field; known are ${[...KNOWN].join(', ')}`);
    }
  }
  const text = fields.get('text');
  if (typeof text !== 'string') throw new RequestProblem(400, 'text must be a string');
  const canaries = listOf(fields, 'canaries');
  if (canaries.length > 0 && scope !== 'input' && scope !== 'output') {
    throw new RequestProblem(400, 'canaries are looked for in prompts and replies only');
  }
  const supplied = listOf(fields, 'supplied_urls');
  const values = listOf(fields, 'conversation_values');
  if (supplied.length + values.length > 0 && scope !== 'output') {
    throw new RequestProblem(400, 'supplied_urls and conversation_values are for replies only');
  }
  const include = fields.get('include_input') ?? false;
  if (typeof include !== 'boolean')
    throw new RequestProblem(400, 'include_input must be true or false');
  const optional: Partial<Record<(typeof OPTIONAL)[number], string>> = {};
  for (const name of OPTIONAL) {
    const field = fields.get(name);
    if (field === undefined || field === null) continue;
    if (typeof field !== 'string' || field.length > LONGEST_FIELD) {
      throw new RequestProblem(
        400,
        `${name} must be a string of at most ${LONGEST_FIELD.toString()} characters`,
      );
    }
    optional[name] = field;
  }
  return {
    text,
    canaries,
    supplied_urls: supplied,
    conversation_values: values,
    include_input: include,
    ...optional,
  };
}
