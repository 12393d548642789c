import type { ReadItem } from '../row.js';
import { reject } from '../row.js';
import { invalidByte } from './decode-text.js';
import { isConflictMarker } from './json-lines.js';
import type { Line } from './split-lines.js';

/** A list of texts, one a line. Blank lines are no rows; nothing else has a meaning. */
export async function* readTextList(
  file: string,
  lines: AsyncIterable<Line>,
): AsyncGenerator<ReadItem> {
  for await (const line of lines) {
    if (line.text.trim() === '') continue;
    const place = { file, line: line.number };
    const byte = invalidByte(line.text);
    if (byte !== null) yield reject(place, `not UTF-8: byte 0x${byte.toString(16)}`, line.text);
    else if (line.cut) yield reject(place, `line is longer than ${line.text.length} characters`);
    else if (isConflictMarker(line.text)) yield reject(place, 'git conflict marker', line.text);
    else yield { kind: 'row', value: line.text, place };
  }
}
