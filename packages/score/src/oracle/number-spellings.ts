/** A number as it stands in a text: every value that the spelling can mean. */
export interface SpeltNumber {
  readonly values: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** First code points of decimal digits outside ASCII that are met in the languages of the corpus. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6] as const;

/** Digits, signs and separators in their ASCII forms; one character stays one character. */
function plainDigits(text: string): string {
  return text.replace(
    /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef٫٬\u2212\u00a0\u202f\u2009’]/g,
    (char) => {
      if (char === '٫') return '.';
      if (char === '٬') return ',';
      if (char === '\u2212') return '-';
      if (char === '’') return "'";
      const code = char.charCodeAt(0);
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? ' ' : String(code - zero);
    },
  );
}

const CURRENCY =
  'EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|TRY|SGD|HKD';
const NUMBER = /\d+(?:[.,'_]\d+|[ ]\d{3}(?!\d))*(?:[eE][+-]?\d{1,3}(?![\p{L}\p{N}]))?/gu;

const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['thousand', 1e3],
  ['million', 1e6],
  ['mio', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
]);

/** Every value that digits with these separators can have; empty when they make no number. */
function valuesOf(spelling: string): number[] {
  const [mantissa = '', exponent] = spelling.split(/[eE]/);
  const power = exponent === undefined ? 1 : 10 ** Number(exponent);
  const digits = mantissa.replace(/[ '_]/g, '');
  const marks = digits.match(/[.,]/g) ?? [];
  if (marks.length === 0) return [Number(digits) * power];
  const last = marks.at(-1) ?? '.';
  const groups = digits.split(/[.,]/);
  const tail = groups.at(-1) ?? '';
  const whole = groups.slice(0, -1);
  const decimal = Number(`${whole.join('')}.${tail}`) * power;
  // Thousands come in threes, in India in twos before the last three.
  const grouped =
    (groups[0] ?? '').length <= 3 &&
    (groups[0] ?? '') !== '0' &&
    tail.length === 3 &&
    whole.slice(1).every(({ length }) => length === 3 || length === 2);
  const all = Number(groups.join('')) * power;
  if (marks.length === 1) return grouped ? [decimal, all] : [decimal];
  if (new Set(marks).size === 1) return grouped ? [all] : [];
  // Two kinds of marks: the last one, if it comes once, is the decimal mark.
  return marks.filter((mark) => mark === last).length === 1 ? [decimal] : [];
}

/**
 * Numbers of a text in order. One mark before three digits (`4,210`) has both readings, 4210 and 4.21: a right answer must not fail
 * for the custom of a country, and a wrong one hardly differs by a factor of a thousand. Parts of dates, times, versions, ranges
 * and names (`INV-12`, `v2`) are no numbers.
 */
export function spellingsIn(text: string): SpeltNumber[] {
  const plain = plainDigits(text);
  const found: SpeltNumber[] = [];
  for (const match of plain.matchAll(NUMBER)) {
    const start = match.index;
    const end = start + match[0].length;
    const before = plain.slice(Math.max(0, start - 6), start);
    const after = plain.slice(end, end + 12);
    if (!stands(before, after)) continue;
    const sign = /(?:^|[^\p{L}\p{N}])-\s?(?:\p{Sc}\s?)?$/u.test(before) ? -1 : 1;
    const multiple =
      MULTIPLES.get(
        /^ ?(k|thousand|million|mio|billion|bn)(?!\p{L})/iu.exec(after)?.[1]?.toLowerCase() ?? '',
      ) ?? 1;
    const values = valuesOf(match[0]).map((value) => sign * value * multiple);
    // Groups parted by spaces may as well be numbers side by side.
    const sides = match[0].includes(' ') ? match[0].split(' ').flatMap(valuesOf) : [];
    found.push({ values: [...values, ...sides], start, end });
  }
  return found;
}

function stands(before: string, after: string): boolean {
  const glued = /[\p{L}\p{N}]+$/u.exec(before)?.[0];
  if (glued !== undefined && !new RegExp(`^(?:US|${CURRENCY})$`, 'i').test(glued)) return false;
  if (
    /[\p{L}\p{N}][-–]$|\d[/:]$/u.test(before) ||
    /[\p{L}_#.][-.]?$/u.test(before.replace(new RegExp(`(?:US|${CURRENCY})$`, 'i'), ''))
  )
    return false;
  if (/^[-–/:]\d/u.test(after)) return false;
  return !/^\p{L}+\d/u.test(after) && !/^\p{L}{5,}/u.test(after);
}

const nearly = (value: number, wanted: number, tolerance: number): boolean =>
  Math.abs(value - wanted) <= tolerance + Math.abs(wanted) * 1e-12;

/** Whether a text is this number, with a currency, unit or per cent at most, in any common spelling. */
export function spellsNumber(text: string, wanted: number, tolerance: number): boolean {
  const normal = text.normalize('NFKC').trim();
  if (normal.length > 64) return false;
  const found = spellingsIn(normal);
  const [only] = found;
  if (only === undefined || found.length > 1) return false;
  const rest = normal.slice(0, only.start) + normal.slice(only.end);
  if (/\d/.test(rest) || (rest.match(/\p{L}/gu) ?? []).length > 12) return false;
  return only.values.some((value) => nearly(value, wanted, tolerance));
}

/** Whether some number of a text is this one. */
export function mentionsNumber(text: string, wanted: number, tolerance: number): boolean {
  return spellingsIn(text.normalize('NFKC')).some(({ values }) =>
    values.some((value) => nearly(value, wanted, tolerance)),
  );
}
