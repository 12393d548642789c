import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const WORDS =
  'account agenda answer archive balance board budget calendar change client code column comment contract copy customer date delivery document draft email export figure file folder form group header image invoice issue item label letter line list meeting member memo message minute note notice office order page password plan policy price print project question quote record reply report request result review room rule sales schedule section server sheet site staff status step subject summary system table task team text ticket time title token tool total update user value version week word work'.split(
    ' ',
  );

/** A generator of numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Shape {
  readonly rows: number;
  /** Words of a text. */
  readonly words: number;
}

/** Writes labelled rows as JSON Lines: of ten, one repeats an earlier text and one changes a word of an earlier one. */
export async function generateRows(path: string, { rows, words }: Shape): Promise<number> {
  const random = numbers(1);
  const out = createWriteStream(path, { highWaterMark: 1024 * 1024 });
  const recent: string[] = [];
  let bytes = 0;
  let pending: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const kind = row % 10;
    const earlier = recent[Math.floor(random() * recent.length)];
    let text = Array.from(
      { length: words },
      () => WORDS[Math.floor(random() * WORDS.length)] ?? '',
    ).join(' ');
    if (kind === 3 && earlier !== undefined) text = earlier;
    else if (kind === 7 && earlier !== undefined)
      text = `${earlier} ${WORDS[row % WORDS.length] ?? ''}`;
    else if (recent.length < 5000) recent.push(text);
    else recent[row % 5000] = text;
    const line = `${JSON.stringify({ text, label: row % 3 === 0 ? 1 : 0 })}\n`;
    bytes += line.length;
    pending.push(line);
    if (pending.length < 2000) continue;
    const full = !out.write(pending.join(''));
    pending = [];
    if (full) await once(out, 'drain');
  }
  out.end(pending.join(''));
  await once(out, 'close');
  return bytes;
}
