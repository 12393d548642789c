/** A calendar date; `year` is absent where the text leaves it out. */
interface CalendarDate {
  readonly year?: number;
  readonly month: number;
  readonly day: number;
}

interface SpeltDate {
  /** Every date that the spelling can mean: `03/12/2026` is the 3rd of December and the 12th of March. */
  readonly dates: readonly CalendarDate[];
  readonly start: number;
  readonly end: number;
}

interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Minutes east of UTC, when the text says so. */
  readonly zone?: number;
  readonly start: number;
  readonly end: number;
}

/** Month names, whole and short, in the languages of the corpus; each list is one month. */
const MONTHS: readonly (readonly string[])[] = [
  'january jan januar jänner janvier janv enero ene gennaio gen janeiro januari styczeń stycznia января январь',
  'february feb februar février fevrier févr fév febrero febbraio febb fevereiro fev februari luty lutego февраля февраль',
  'march mar märz maerz mrz mars marzo março março maart mrt marzec marca марта март',
  'april apr avril avr abril abr aprile kwiecień kwietnia апреля апрель',
  'may mai mayo maggio mag maio mei maj maja мая май',
  'june jun juni juin junio giugno giu junho czerwiec czerwca июня июнь',
  'july jul juli juillet juil julio luglio lug julho lipiec lipca июля июль',
  'august aug août aout agosto ago augustus sierpień sierpnia августа август',
  'september sep sept septembre septiembre settembre set setembro wrzesień września сентября сентябрь',
  'october oct oktober okt octobre octubre ottobre ott outubro out październik października октября октябрь',
  'november nov novembre noviembre novembro listopad listopada ноября ноябрь',
  'december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro grudzień grudnia декабря декабрь',
].map((names) => names.split(' '));

function monthOf(name: string): number {
  const plain = name.toLowerCase();
  return MONTHS.findIndex((names) => names.includes(plain)) + 1;
}

function fullYear(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}

function isDate({ month, day }: CalendarDate): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

type Reader = (match: RegExpMatchArray) => CalendarDate[];

const numbers = (match: RegExpMatchArray): string[] => match.slice(1);

function yearFirst(match: RegExpMatchArray): CalendarDate[] {
  const [year = '', month = '', day = ''] = numbers(match);
  return [{ year: Number(year), month: Number(month), day: Number(day) }];
}

/** Day and month by number: both readings, unless the mark is a dot, which only day-first writers use. */
function yearLast(match: RegExpMatchArray): CalendarDate[] {
  const [first = '', mark = '', second = '', digits = ''] = numbers(match);
  const year = fullYear(digits);
  const dayFirst = { year, month: Number(second), day: Number(first) };
  return mark === '.'
    ? [dayFirst]
    : [dayFirst, { year, month: Number(first), day: Number(second) }];
}

function named(day: string, month: string, year: string): CalendarDate[] {
  const found = monthOf(month);
  if (found === 0) return [];
  const date = { month: found, day: Number(day) };
  return [year === '' ? date : { ...date, year: fullYear(year) }];
}

const FORMS: readonly (readonly [RegExp, Reader])[] = [
  [/(?<![\p{L}\p{N}])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/gu, yearFirst],
  [/(?<![\p{L}\p{N}])(\d{4})(\d{2})(\d{2})(?:(?![\p{L}\p{N}])|(?=T\d))/gu, yearFirst],
  [/(?<!\p{N})(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/gu, yearFirst],
  [/(?<![\p{L}\p{N}.,/-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\p{N}/-])/gu, yearLast],
  [
    /(?<!\p{N})(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[\s-](?:of\s|de\s|d')?(\p{L}{3,11})\.?(?:,?[\s-](?:of\s|de\s|del\s)?(\d{4})(?!\d))?/gu,
    (match) => named(match[1] ?? '', match[2] ?? '', match[3] ?? ''),
  ],
  [
    /(?<!\p{L})(\p{L}{3,11})\.?[\s-](?:the\s)?(\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\p{N}:])(?:,?\s(\d{4})(?!\d))?/gu,
    (match) => named(match[2] ?? '', match[1] ?? '', match[3] ?? ''),
  ],
];

function datesIn(text: string): SpeltDate[] {
  const found: SpeltDate[] = [];
  for (const [form, read] of FORMS) {
    for (const match of text.matchAll(form)) {
      const dates = read(match).filter(isDate);
      if (dates.length > 0) {
        found.push({ dates, start: match.index, end: match.index + match[0].length });
      }
    }
  }
  return found;
}

const TIME =
  /(?<![\d.,:-])(\d{1,2})(?:(?:[:h]|\.(?=\d\d(?!\d)))(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?|(?=\s?[ap]\.?m\b))\s?(a\.?m\.?|p\.?m\.?)?(?:\s?(Z|UTC|GMT)|\s?([+-])(\d{2}):?(\d{2}))?/giu;

function timesIn(text: string): ClockTime[] {
  const found: ClockTime[] = [];
  // The T between date and time is no part of a word.
  for (const match of text.replace(/(?<=\d)T(?=\d)/g, ' ').matchAll(TIME)) {
    const [, hours = '', minutes = '0', seconds = '0', half, utc, sign, zoneHours, zoneMinutes] =
      match;
    let hour = Number(hours);
    if (half !== undefined) hour = (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
    if (hour > 23 || Number(minutes) > 59) continue;
    const zone =
      utc !== undefined
        ? 0
        : sign === undefined
          ? undefined
          : (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
    found.push({
      hour,
      minute: Number(minutes),
      second: Number(seconds),
      ...(zone === undefined ? {} : { zone }),
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return found;
}

/** Milliseconds of a date and time, as UTC; the zone is taken off when there is one. */
function instant(date: CalendarDate, time: ClockTime, zone: number): number {
  return Date.UTC(
    date.year ?? 0,
    date.month - 1,
    date.day,
    time.hour,
    time.minute - zone,
    time.second,
  );
}

function sameDate(a: CalendarDate, b: CalendarDate): boolean {
  return (
    a.month === b.month &&
    a.day === b.day &&
    (a.year === undefined || b.year === undefined || a.year === b.year)
  );
}

function sameClock(a: ClockTime, b: ClockTime): boolean {
  return a.hour === b.hour && a.minute === b.minute && a.second === b.second;
}

/** How far a time may stand from its date in a sentence, in characters. */
const NEAR = 40;

/**
 * Whether a text has the date, time, or date and time that `wanted` (ISO 8601) is. Only what `wanted` says is compared: a date
 * alone holds whatever the time. A date by numbers that can be read day first and month first holds when either reading does.
 * Two zones are compared as instants; a time without a zone holds by the clock.
 *
 * @param prose text around the date is allowed, and so is a date without its year
 */
export function spellsDate(
  text: string,
  wanted: string,
  { prose }: { readonly prose: boolean },
): boolean {
  const normal = text
    .normalize('NFKC')
    .slice(0, prose ? 200_000 : 64)
    .trim();
  const day = datesIn(wanted)[0];
  const clock = timesIn(wanted)[0];
  if (day === undefined && clock === undefined) return false;
  const dates = day === undefined ? [] : datesIn(normal);
  const times = clock === undefined ? [] : timesIn(normal);
  const date = day?.dates[0];
  if (date === undefined) {
    return times.some((time) => clock !== undefined && sameClock(time, clock));
  }
  for (const spelt of dates) {
    for (const candidate of spelt.dates) {
      if (!prose && candidate.year === undefined) continue;
      if (clock === undefined) {
        if (sameDate(candidate, date)) return true;
        continue;
      }
      for (const time of times) {
        if (time.end < spelt.start - NEAR || time.start > spelt.end + NEAR) continue;
        if (time.start < spelt.end && time.end > spelt.start) continue;
        const zoned =
          time.zone !== undefined && clock.zone !== undefined && candidate.year !== undefined;
        if (
          zoned
            ? instant(candidate, time, time.zone) === instant(date, clock, clock.zone)
            : sameDate(candidate, date) && sameClock(time, clock)
        ) {
          return true;
        }
      }
    }
  }
  return false;
}
