import {
  isRecord,
  isStrings,
  list,
  optionsOf,
  record,
  refuse,
  severity,
  shown,
  string,
} from './check-values.js';

// What one call gives is what the next takes. Somebody who takes it out of a file or a message may have lost a part.

const SCOPES = ['input', 'context', 'output', 'tool'];
const VERDICTS = ['benign', 'suspicious', 'malicious'];

export function oneOf(value: unknown, known: readonly string[], what: string): void {
  if (typeof value === 'string' && known.includes(value)) return;
  refuse(`${what} must be one of ${known.join(', ')}; got ${shown(value)}`);
}

/** A finite number, 0 or more. */
export function amount(value: unknown, what: string): void {
  if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return;
  refuse(`${what} must be a number from 0 up; got ${shown(value)}`);
}

export function scopeOf(value: unknown, what: string): void {
  oneOf(value, SCOPES, what);
}

export function verdictIn(value: unknown, what: string): void {
  oneOf(value, VERDICTS, what);
}

/** The one option of calls that wait for a model. */
export function signalOf(options: unknown, what: string): AbortSignal | undefined {
  const { signal } = optionsOf(options, what, ['signal']);
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  return refuse(`signal must be an AbortSignal; got ${shown(signal)}`);
}

/** @throws DetectError `bad-option` for what no scan gave. */
export function checkDetection(value: unknown, what: string): void {
  const found = record(value, what, 'a detection as a scan gives it');
  for (const name of ['id', 'title', 'matched', 'view']) string(found[name], `${what}.${name}`);
  for (const name of ['decoded', 'mention']) {
    if (found[name] !== undefined) string(found[name], `${what}.${name}`);
  }
  severity(found['severity'], `${what}.severity`);
  amount(found['confidence'], `${what}.confidence`);
  const { atlas, owasp } = isRecord(found['tags']) ? found['tags'] : {};
  if (!isStrings(atlas) || !isStrings(owasp)) {
    refuse(`${what}.tags must be an object with the lists atlas and owasp`);
  }
  const { start, end } = isRecord(found['span']) ? found['span'] : {};
  if (!Number.isInteger(start) || !Number.isInteger(end)) {
    refuse(`${what}.span must be an object with the offsets start and end`);
  }
}

/** @throws DetectError `bad-option` for what no scan gave; `taker` is the call that was given it. */
export function checkResult(value: unknown, taker: string): void {
  if (!isRecord(value) || !Array.isArray(value['detections'])) {
    refuse(`${taker} takes what a scan gave, such as scanner.scan(text); got ${shown(value)}`);
  }
  const { verdict, score, detections, scope, inputLength, notes } = value;
  verdictIn(verdict, 'the verdict of a result');
  amount(score, 'the score of a result');
  scopeOf(scope, 'the scope of a result');
  amount(inputLength, 'the inputLength of a result');
  if (!isStrings(notes)) refuse('the notes of a result must be a list of strings');
  list(detections, 'the detections of a result', 'detections');
  for (const [i, one] of detections.entries()) checkDetection(one, `detections[${i}]`);
}
