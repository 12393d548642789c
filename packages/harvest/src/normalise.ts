const LONE_SURROGATES = /\p{Surrogate}/gu;
const ASCII_PLAIN = /^[\x20-\x7e\n\t]*$/u;

/**
 * A text as it is written: line ends are `\n`, surrogates without partner are U+FFFD. Nothing else changes: invisible
 * characters, look-alikes and white space can be the attack.
 */
export function normaliseText(text: string): string {
  if (ASCII_PLAIN.test(text)) return text;
  const lines = text.includes('\r') ? text.replace(/\r\n?/gu, '\n') : text;
  return lines.replace(LONE_SURROGATES, '\ufffd');
}

/** What two texts share when they are exact duplicates: all but composition and white space at the ends of the text. */
export function exactKey(text: string): string {
  return (ASCII_PLAIN.test(text) ? text : text.normalize('NFC')).trim();
}

/** What near duplicates are compared by: width, case, white space and invisible characters are folded. */
export function nearKey(text: string): string {
  const wide = ASCII_PLAIN.test(text)
    ? text
    : text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return wide.toLowerCase().replace(/\s+/gu, ' ').trim();
}
