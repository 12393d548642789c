import type { Link } from './links.js';

/** Things that load from one host, each naming a character or two, from which on they spell something. */
const LEAST_LETTERS = 8;

/**
 * The one that makes it enough of many things that load by themselves and together spell a text, a character at a time
 * (`/p/h.png`, `/p/i.png`, …): their addresses differ only in a part of one or two characters, mostly letters.
 * Numbered pictures are none.
 */
export function spelledOut(
  links: readonly Link[],
  counts: (address: string) => boolean,
): Link | undefined {
  const groups = new Map<string, { letters: number; others: number }>();
  for (const link of links) {
    if (!link.loads || link.url.length > 256) continue;
    const match = /^(.*[/=?.-])([a-z0-9]{1,2}|%[0-9a-f]{2})((?:\.[a-z]{3,4})?)$/i.exec(link.url);
    const [, before, part = '', after] = match ?? [];
    if (before === undefined) continue;
    const key = `${before} ${after}`;
    const group = groups.get(key) ?? { letters: 0, others: 0 };
    if (/^\d+$/.test(part)) group.others += 1;
    else group.letters += 1;
    groups.set(key, group);
    if (group.letters >= LEAST_LETTERS && group.letters > group.others && counts(link.url)) {
      return link;
    }
  }
  return undefined;
}
