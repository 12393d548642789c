/** Six bits of a symbol of base64 or base64url, or -1 (RFC 4648, sections 4 and 5). */
export function sextet(code: number): number {
  if (code >= 0x61) return code <= 0x7a ? code - 0x47 : -1;
  if (code >= 0x41) return code <= 0x5a ? code - 0x41 : code === 0x5f ? 63 : -1;
  if (code >= 0x30) return code <= 0x39 ? code + 4 : -1;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f ? 63 : -1;
}

/** Five bits of a symbol of base32 in either case, or -1 (RFC 4648, section 6). */
export function quintet(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x32 && code <= 0x37) return code - 0x18;
  return -1;
}

/** Four bits of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}

/** Whether a unit is a letter of ASCII. */
export function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}
