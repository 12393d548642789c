import { isRecord, list, record, refuse, shown } from '../check-values.js';

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
  if (!isRecord(result) || !Array.isArray(result['detections'])) {
    refuse(`toEvent takes what a scan gave, such as scanner.scan(text); got ${shown(result)}`);
  }
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
  wants('time', 'a Date', given['time'] instanceof Date);
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

/** @throws DetectError `bad-option` for what `toEvent` did not make. */
export function checkEvent(event: unknown, what: string): void {
  if (isRecord(event) && event['EventType'] === 'PromptInjectionScan') {
    if (Array.isArray(event['detections']) && typeof event['TimeGenerated'] === 'string') return;
  }
  refuse(`${what} takes an event as toEvent gives it; got ${shown(event)}`);
}

/** @throws DetectError `bad-option` for what is no list of events. */
export function checkEvents(events: unknown, what: string): void {
  list(events, what, 'events as toEvent gives them');
  for (const event of events) checkEvent(event, what);
}
