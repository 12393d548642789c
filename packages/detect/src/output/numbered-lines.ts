/** The number with which an item of a list begins. */
const NUMBER = /^[^\S\n]*\d{1,3}[.):][^\S\n]/gm;
/** What could become one when the text goes on. */
const BEGUN = /(?:^|\n)[^\S\n]*\d{1,3}[.):]?$/;

function blank(found: string): string {
  return found.replaceAll(/[^\n]/g, ' ');
}

/**
 * A text without the numbers of its items, each unit where it was; `undefined` when there are none. `goesOn`: also without what could become
 * one.
 */
export function withoutNumbers(text: string, goesOn: boolean): string | undefined {
  const plain = text.replace(NUMBER, blank);
  const rest = goesOn ? plain.replace(BEGUN, blank) : plain;
  return rest === text ? undefined : rest;
}
