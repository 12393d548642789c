import { lazily } from '../views/character-classes.js';
import { textOfUnits } from '../views/placed-text.js';
import { type Folded, fold } from './fold.js';

/** What leet writes for the first of each group. */
const GROUPS = ['o0', 'il1!|\u00a1', 'z2', 'e3\u20ac', 'a4@', 's5$', 'bg689', 't7+', 'c(<', 'h#'];
const SIGNS = '!|\u00a1\u20ac@$+(<#';
/** Signs within a word; others are punctuation. */
const WITHIN = /[!|\u00a1\u20ac@$+(<#](?<=[a-z0-9].)[!|\u00a1\u20ac@$+(<#]{0,2}[a-z0-9]/i;

const ANY_SIGN = /[!|\u00a1\u20ac@$+(<#]/;

/** For each unit that leet writes: the letter that it stands for; 0 for others. */
const letters: () => Uint8Array = lazily(() => {
  const table = new Uint8Array(0x20ad);
  for (const group of GROUPS) {
    for (const sign of group) table[sign.charCodeAt(0)] = group.charCodeAt(0);
  }
  return table;
});

/** A folded text in which a letter and what leet writes for it are the same. */
export function leetForm(folded: string): string {
  const table = letters();
  const units = new Uint16Array(folded.length);
  for (let i = 0; i < folded.length; i += 1) {
    const unit = folded.charCodeAt(i);
    units[i] = table[unit] || unit;
  }
  return textOfUnits(units, units.length);
}

/**
 * A text in the form of {@link leetForm}, read without signs such as `$`, and with them where words have them, or where
 * they could when the text goes on.
 */
export function leetReadings(text: string, folded: Folded, goesOn: boolean): Folded[] {
  const plain = { ...folded, text: leetForm(folded.text) };
  if (!(goesOn ? ANY_SIGN : WITHIN).test(text)) return [plain];
  const signs = fold(text, { signs: SIGNS });
  return [plain, { ...signs, text: leetForm(signs.text) }];
}
