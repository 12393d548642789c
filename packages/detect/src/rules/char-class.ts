import { isWordUnit } from './word-units.js';

/** One escape or bracket class of a pattern, as far as the prefilter needs to know it. */
export interface CharClass {
  /** Offset after it. */
  readonly end: number;
  /** Most UTF-16 code units that it takes. */
  readonly width: number;
  /** It can take a `.`, `!` or `?`. */
  readonly crosses: boolean;
  /** It takes no part of a word, or is `\b`: a word ends before it and begins after it. */
  readonly boundary: boolean;
  /** It stands for just this character. */
  readonly literal?: string;
}

export function readEscape(source: string, at: number): CharClass {
  const rest = source.slice(at, at + 60);
  const long = /^\\(?:[pP](?:\{[^}]*\}|[A-Z])|x\{[^}]*\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/.exec(
    rest,
  )?.[0];
  if (long) return { end: at + long.length, width: 2, crosses: true, boundary: false };
  const char = rest[1] ?? '';
  const end = at + 2;
  if (char === 'b' || char === 'A' || char === 'z' || char === 'Z') {
    return { end, width: 0, crosses: false, boundary: true };
  }
  if (char === 'B') return { end, width: 0, crosses: false, boundary: false };
  if (char === 's' || char === 'n' || char === 't' || char === 'r') {
    return { end, width: 1, crosses: false, boundary: true };
  }
  if (char === 'w' || char === 'd') return { end, width: 1, crosses: false, boundary: false };
  if (char === 'W') return { end, width: 2, crosses: true, boundary: true };
  if (/[a-zA-Z0-9]/.test(char)) return { end, width: 2, crosses: true, boundary: false };
  return { end, width: 1, crosses: /[.!?]/.test(char), boundary: false, literal: char };
}

export function readClass(source: string, at: number): CharClass {
  let i = at + 1;
  const negated = source[i] === '^';
  if (negated) i++;
  const from = i;
  if (source[i] === ']') i++;
  while (i < source.length && source[i] !== ']') {
    const nested = /^\[:\^?\w+:\]/.exec(source.slice(i, i + 12))?.[0];
    i += nested?.length ?? (source[i] === '\\' ? 2 : 1);
  }
  const body = source.slice(from, i);
  const end = i + 1;
  if (negated) {
    const stops = ['.', '!', '?'].every((stop) => body.includes(stop));
    return { end, width: 2, crosses: !stops, boundary: body.includes('\\w') };
  }
  const plain = body.replaceAll(/\\[wsdntr]/g, '');
  const crosses = /[.!?]|\\[A-Zpxu]|\[:/.test(plain) || spans(plain, isStop);
  // `\b` knows ASCII only, but a letter beyond it may be the other case of one.
  const boundary =
    !/[A-Za-z0-9_]|\\[wdpPxuDS]|\[:|[\p{L}\p{M}\p{N}]/u.test(body.replaceAll(/\\[sntr]/g, '')) &&
    !spans(body, isWordUnit);
  return { end, width: 2, crosses, boundary };
}

function isStop(code: number): boolean {
  return code === 33 || code === 46 || code === 63;
}

/** Whether a range, such as `[!-/]`, holds a character of ASCII that is asked for. */
function spans(body: string, asked: (code: number) => boolean): boolean {
  for (const range of body.matchAll(/([^\\])-([^\\])/g)) {
    const [low = 0, high = 0] = [range[1]?.charCodeAt(0), range[2]?.charCodeAt(0)];
    for (let code = low; code <= Math.min(high, 127); code++) if (asked(code)) return true;
  }
  return false;
}
