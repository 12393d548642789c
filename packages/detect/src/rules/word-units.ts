/** Part of a word as RE2's `\b` sees it: a letter or digit of ASCII, or `_`. */
export function isWordUnit(code: number): boolean {
  const small = code | 0x20;
  return (small >= 97 && small <= 122) || (code >= 48 && code <= 57) || code === 95;
}
