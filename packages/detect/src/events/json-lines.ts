import { isRecord, refuse, shown } from '../check-values.js';

function jsonOf(record: object): string {
  let json: unknown;
  try {
    json = JSON.stringify(record);
  } catch (error) {
    // A circle, or a number that JSON has no place for.
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    refuse(`toJsonLine cannot write this record: ${reason}`);
  }
  return typeof json === 'string' ? json : refuse('toJsonLine cannot write this record as JSON');
}

/**
 * One line of JSON. Control characters beyond ASCII and those that turn the direction of writing are escaped
 * too, so that a log can be shown in a terminal.
 *
 * @throws DetectError `bad-option` for what is no object, and for one that JSON has no place for.
 */
export function toJsonLine(record: object): string {
  const given: unknown = record;
  if (!isRecord(given)) {
    refuse(`toJsonLine takes an event or another record; got ${shown(given)}`);
  }
  const json = jsonOf(given).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${json}\n`;
}
