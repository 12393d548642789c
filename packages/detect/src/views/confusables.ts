import { lazily } from './character-classes.js';
import { CONFUSABLES } from './confusables-table.js';

/** Code point of a look-alike to the Latin letters, in lower case, that it is read as. */
export const confusables: () => ReadonlyMap<number, string> = lazily(() => {
  const map = new Map<number, string>();
  let target = '';
  let point = 0;
  for (const piece of CONFUSABLES.split(/\s+/u)) {
    if (piece.endsWith(':')) {
      target = piece.slice(0, -1);
      point = 0;
    } else if (piece !== '') {
      point += Number.parseInt(piece, 36);
      map.set(point, target);
    }
  }
  return map;
});
