/** Invisible characters that can be put between letters without changing how a text looks. */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\ufe00-\ufe0f]/g;

// Most text of tools and worlds is plain, and then neither step can change it; looking is many times faster than doing.
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\u0000-\u007f]*$/;

/** Width-folded, with nothing invisible, in lower case. */
function evened(text: string): string {
  return PLAIN.test(text)
    ? text.toLowerCase()
    : text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
}

/** Text for comparison: NFKC (so width does not matter), lower case, white space collapsed, nothing invisible. */
export function fold(text: string): string {
  return evened(text).replace(/\s+/g, ' ').trim();
}

/** The same without any white space, quotes or backslashes, so that wrapping and escaping do not matter. */
export function foldTight(text: string): string {
  return evened(text).replace(/[\s"'`\\]+/g, '');
}
