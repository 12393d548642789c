import type { JsonObject, JsonValue } from '@pab/model';
import { CliError } from '../errors.js';

/** A name with options, as it is written on the command line: `spotlight:mode=encoding,key=value`. */
export interface Spec {
  readonly name: string;
  readonly options: JsonObject;
  /** As it was written; names the thing in tables and files. */
  readonly text: string;
}

function valueOf(text: string): JsonValue {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function isFile(text: string): boolean {
  return (
    /^(?:\.{1,2}[/\\]|[/\\]|[A-Za-z]:[/\\])/.test(text) || /\.(?:ts|mts|js|mjs)(?::|$)/.test(text)
  );
}

/**
 * Parses `name:key=value,key=value`. A value may hold `:` and `=`; a comma starts the next option only where `key=` follows, so URLs
 * and lists of words pass.
 */
export function parseSpec(text: string): Spec {
  const trimmed = text.trim();
  // A Windows drive letter is no option separator; nor is the colon inside `reference:ideal`.
  const offset = isFile(trimmed) && /^[A-Za-z]:[/\\]/.test(trimmed) ? 2 : 0;
  const colon = trimmed.indexOf(':', offset);
  const name = colon === -1 ? trimmed : trimmed.slice(0, colon);
  if (name === '')
    throw new CliError(`"${text}" has no name; write name or name:key=value,key=value`);
  if (colon === -1) return { name, options: {}, text: trimmed };
  const rest = trimmed.slice(colon + 1);
  if (!/^[A-Za-z][\w-]*=/.test(rest)) return { name, options: { '': rest }, text: trimmed };
  const options: Record<string, JsonValue> = {};
  for (const pair of rest.split(/,(?=[A-Za-z][\w-]*=)/)) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, at);
    if (key === '__proto__' || Object.hasOwn(options, key))
      throw new CliError(`"${text}" gives "${key}" twice`);
    options[key] = valueOf(pair.slice(at + 1));
  }
  return { name, options, text: trimmed };
}

export function isFileSpec(spec: Spec): boolean {
  return isFile(spec.name);
}

/** `a+b` as the specs of a composition, outermost first. */
export function parseComposition(text: string): Spec[] {
  return text.split('+').map(parseSpec);
}
