import type { Place, ReadItem } from '../row.js';
import { reject } from '../row.js';
import { parseJson } from './parse-json.js';
import type { Line } from './split-lines.js';

const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/u;

/** A line that a merge left behind. */
export function isConflictMarker(line: string): boolean {
  return CONFLICT.test(line);
}

/** JSON Lines: one value a line. Blank lines and `#` comments are no rows. */
export async function* readJsonLines(
  file: string,
  lines: AsyncIterable<Line>,
): AsyncGenerator<ReadItem> {
  for await (const line of lines) {
    const text = line.text.trim();
    if (text === '' || text.startsWith('#')) continue;
    const place: Place = { file, line: line.number };
    if (line.cut) {
      yield reject(place, `line is longer than ${line.text.length} characters`, text);
      continue;
    }
    if (isConflictMarker(text)) {
      yield reject(place, 'git conflict marker', text);
      continue;
    }
    const parsed = parseJson(text);
    if (!parsed.ok) yield reject(place, parsed.reason, text);
    else if (parsed.notes.length > 0) {
      yield { kind: 'row', value: parsed.value, place, notes: parsed.notes };
    } else yield { kind: 'row', value: parsed.value, place };
  }
}
