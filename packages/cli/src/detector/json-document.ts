/**
 * A JSON document in lines for people and programs. What JSON leaves as it is and a terminal acts on (control characters
 * beyond ASCII, marks that turn the direction of writing) is escaped, too.
 */
export function jsonDocument(value: unknown): string {
  const json = JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${json}\n`;
}
