import { refuse, shown } from '../check-values.js';

/**
 * One line of JSON. Control characters beyond ASCII and those that turn the direction of writing are escaped
 * too, so that a log can be shown in a terminal.
 */
export function toJsonLine(record: object): string {
  const given: unknown = record;
  if (typeof given !== 'object' || given === null) {
    refuse(`toJsonLine takes an event or another record; got ${shown(given)}`);
  }
  const json = JSON.stringify(record).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${json}\n`;
}
