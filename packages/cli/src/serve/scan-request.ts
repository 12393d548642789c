import type { Scope } from '@pab/detect';
import { RequestProblem } from './request-problem.js';

/** A body of `POST /v1/scan…`. */
export interface ScanRequest {
  readonly text: string;
  readonly canaries: readonly string[];
  readonly user?: string;
  readonly session_id?: string;
  readonly content_type?: string;
  readonly content_id?: string;
  readonly source?: string;
  /** Puts the raw text into the answer. */
  readonly include_input: boolean;
}

const OPTIONAL = ['user', 'session_id', 'content_type', 'content_id', 'source'] as const;
const KNOWN = new Set<string>(['text', 'canaries', 'include_input', ...OPTIONAL]);
/** Canaries are looked for one by one; more of them would make a scan slow. */
const MOST_CANARIES = 32;
const LONGEST_FIELD = 256;

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
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
  const canaries = fields.get('canaries') ?? [];
  if (
    !isStrings(canaries) ||
    canaries.length > MOST_CANARIES ||
    canaries.some((canary) => canary.length > LONGEST_FIELD)
  ) {
    throw new RequestProblem(
      400,
      `canaries must be at most ${MOST_CANARIES.toString()} strings of at most ${LONGEST_FIELD.toString()} characters`,
    );
  }
  if (canaries.length > 0 && scope !== 'input' && scope !== 'output') {
    throw new RequestProblem(400, 'canaries are looked for in prompts and replies only');
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
  return { text, canaries, include_input: include, ...optional };
}
