/** How many units of white space and marks may stand before the first word of a line. */
const MOST_BEFORE = 12;

/** White space and marks that may stand before the first word of a line. */
function mayStandBefore(code: number): boolean {
  switch (code) {
    case 0x22: // "
    case 0x23: // #
    case 0x27: // '
    case 0x28: // (
    case 0x2a: // *
    case 0x2d: // -
    case 0x3e: // >
    case 0x7c: // |
    case 0x2018:
    case 0x201c:
      return true;
    default:
      return isSpace(code);
  }
}

function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/**
 * A bit for each unit of a text before which nothing but white space and marks stands in its line, or which ends these.
 * The first unit of the text has none.
 */
export class LineStarts {
  readonly #bits: Uint32Array;

  constructor(text: string) {
    this.#bits = new Uint32Array((text.length >> 5) + 1);
    let at = 0;
    while (at < text.length && at <= MOST_BEFORE) {
      if (at > 0) this.#set(at);
      if (!mayStandBefore(text.charCodeAt(at))) break;
      at += 1;
    }
    for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) {
      for (let k = 1; k <= MOST_BEFORE + 1 && line + k < text.length; k += 1) {
        this.#set(line + k);
        const code = text.charCodeAt(line + k);
        if (code === 10 || !mayStandBefore(code)) break;
      }
    }
  }

  #set(at: number): void {
    this.#bits[at >> 5] = (this.#bits[at >> 5] ?? 0) | (1 << (at & 31));
  }

  has(at: number): boolean {
    return (((this.#bits[at >> 5] ?? 0) >>> (at & 31)) & 1) === 1;
  }
}
