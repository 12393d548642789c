import { amount, checkResult, scopeOf, verdictIn } from '../check-result.js';
import {
  isRecord,
  isStrings,
  list,
  optionalString,
  record,
  refuse,
  severity,
  shown,
  string,
} from '../check-values.js';

const OPTION_NAMES = [
  'text',
  'time',
  'source',
  'scannerVersion',
  'rulesetSize',
  'user',
  'sessionId',
  'contentType',
  'contentId',
  'includeInput',
  'redact',
  'hmacKey',
];
const TEXTS = ['user', 'sessionId', 'contentType', 'contentId'];
const SHAPE =
  "{ text, time: new Date(), source: 'my-app', scannerVersion: '1.0.0', rulesetSize: scanner.rules.length }";

/**
 * Checks what an event is made from. A value of a wrong type would be written, and no query would find the event.
 *
 * @throws DetectError `bad-option` that says what to pass.
 */
export function checkEventOptions(result: unknown, options: unknown): void {
  checkResult(result, 'toEvent');
  const given = record(options, 'the options of toEvent', `an object such as ${SHAPE}`);
  const unknown = Object.keys(given).find((key) => !OPTION_NAMES.includes(key));
  if (unknown !== undefined) {
    refuse(`the options of toEvent have no ${shown(unknown)}; known: ${OPTION_NAMES.join(', ')}`);
  }
  const wants = (name: string, what: string, right: boolean): void => {
    if (right) return;
    // The text and the key are never shown.
    const got = name === 'text' || name === 'hmacKey' ? '' : `; got ${shown(given[name])}`;
    refuse(`toEvent needs ${name}, ${what}${got}; pass ${SHAPE}`);
  };
  wants('text', 'the text that was scanned', typeof given['text'] === 'string');
  const { time } = given;
  wants('time', 'a Date', time instanceof Date);
  // Shown as a Date it would look right.
  if (Number.isNaN(Number(time))) refuse(`the time of toEvent is an invalid Date; pass ${SHAPE}`);
  wants('source', 'where the text came from', typeof given['source'] === 'string');
  wants('scannerVersion', 'a string', typeof given['scannerVersion'] === 'string');
  wants('rulesetSize', 'a number of rules', Number.isFinite(given['rulesetSize']));
  for (const name of TEXTS) {
    const value = given[name];
    if (value !== undefined && typeof value !== 'string') {
      refuse(`${name} must be a string; got ${shown(value)}`);
    }
  }
  for (const name of ['includeInput', 'redact']) {
    const value = given[name];
    if (value !== undefined && typeof value !== 'boolean') {
      refuse(`${name} must be true or false; got ${shown(value)}`);
    }
  }
  const key = given['hmacKey'];
  const usable = typeof key === 'string' || key instanceof Uint8Array;
  if (key !== undefined && (!usable || key.length === 0)) {
    refuse('hmacKey must be a string or bytes, and not empty');
  }
}

/**
 * `anyTime`: whoever asks sees to it that the time is one.
 *
 * @throws DetectError `bad-option` for what `toEvent` did not make.
 */
export function checkEvent(event: unknown, what: string, { anyTime = false } = {}): void {
  if (!isRecord(event) || event['EventType'] !== 'PromptInjectionScan') {
    refuse(`${what} takes an event as toEvent gives it; got ${shown(event)}`);
  }
  const { TimeGenerated, Direction, verdict, score, detections } = event;
  string(TimeGenerated, 'the TimeGenerated of an event');
  if (!anyTime && Number.isNaN(Date.parse(String(TimeGenerated)))) {
    refuse(`the TimeGenerated of an event must be a time in ISO 8601; got ${shown(TimeGenerated)}`);
  }
  scopeOf(Direction, 'the Direction of an event');
  verdictIn(verdict, 'the verdict of an event');
  amount(score, 'the score of an event');
  for (const name of AMOUNTS) amount(event[name], `the ${name} of an event`);
  for (const name of STRINGS) string(event[name], `the ${name} of an event`);
  for (const name of OPTIONAL) optionalString(event[name], `the ${name} of an event`);
  list(detections, 'the detections of an event', 'detections');
  for (const [i, one] of detections.entries()) checkFinding(one, `detections[${i}]`);
}

const AMOUNTS = ['input_length', 'ruleset_size'];
const STRINGS = ['Source', 'input_sha256', 'scanner_version'];
const OPTIONAL = ['User', 'SessionId', 'ContentType', 'ContentId', 'input'];

function checkFinding(value: unknown, what: string): void {
  const found = record(value, what, 'a detection of an event');
  for (const name of ['rule_id', 'title', 'matched_text', 'view']) {
    string(found[name], `${what}.${name}`);
  }
  if (found['decoded'] !== null) string(found['decoded'], `${what}.decoded`);
  optionalString(found['mention'], `${what}.mention`);
  severity(found['severity'], `${what}.severity`);
  amount(found['confidence'], `${what}.confidence`);
  if (!isStrings(found['atlas']) || !isStrings(found['owasp'])) {
    refuse(`${what} must have the lists atlas and owasp`);
  }
  const { span } = found;
  if (!Array.isArray(span) || span.length !== 2 || !span.every(Number.isInteger)) {
    refuse(`${what}.span must be a list of two offsets; got ${shown(span)}`);
  }
}

/** @throws DetectError `bad-option` for what is no list of events. */
export function checkEvents(events: unknown, what: string): void {
  list(events, what, 'events as toEvent gives them');
  for (const event of events) checkEvent(event, what);
}
