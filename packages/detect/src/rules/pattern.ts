import { RE2JS } from 're2js';
import { neverFires } from './never-fires.js';

/** All patterns are case-insensitive, and `.` stops at line ends, as in promptbadger. */
const FLAGS = RE2JS.CASE_INSENSITIVE;

export interface PatternProblem {
  readonly message: string;
  /** UTF-16 offset in the pattern. */
  readonly offset: number;
  readonly unsupported: boolean;
}

const REASON = 'RE2 has none, because it keeps matching linear.';
const APART =
  'write `condition: name and not other`; a match of `name` that a match of `other` overlaps then does not count';

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^\(\?=/, 'look-ahead `(?=`'],
  [/^\(\?!/, 'negative look-ahead `(?!`'],
  [/^\(\?<=/, 'look-behind `(?<=`'],
  [/^\(\?<!/, 'negative look-behind `(?<!`'],
  [/^\(\?P=/, 'back-reference `(?P=name)`'],
  [/^\(\?>/, 'atomic group `(?>`'],
  [/^\(\?\(/, 'conditional group `(?(`'],
  [/^\\[1-9]/, 'back-reference'],
  [/^\\k[<{']/, 'named back-reference `\\k`'],
];

/** Says what keeps a pattern from being linear-time, or from being a pattern at all. */
export function checkPattern(pattern: string): PatternProblem | undefined {
  const found = findUnsupported(pattern);
  if (found) return found;
  try {
    const compiled = RE2JS.compile(toRe2(pattern), FLAGS);
    if (compiled.test('')) {
      return {
        message: 'matches the empty text, so it would always fire',
        offset: 0,
        unsupported: false,
      };
    }
    // In these, every pair of neighbours stands that `\b`, `^` and their like can tell from another.
    for (const text of ['a', ' ', '\n', 'aa  a\n\n \na']) {
      const matcher = compiled.matcher(text);
      for (let place = 0; place <= text.length; place += 1) {
        if (!matcher.find(place) || matcher.end() > matcher.start()) continue;
        return {
          message:
            'can match without taking in a character, so it would fire in nearly every text; write into it what must be there, such as `\\bword\\b`',
          offset: 0,
          unsupported: false,
        };
      }
    }
    return unreadableProblem(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    return { message: `is not a regular expression: ${reason}`, offset: 0, unsupported: false };
  }
}

function unreadableProblem(pattern: string): PatternProblem | undefined {
  const found = neverFires(pattern);
  if (found === undefined) return undefined;
  const { text, offset, instead, white = false } = found;
  if (white) {
    const many = text.length > 1;
    const what = many ? 'several characters of white space in a row' : JSON.stringify(text);
    return {
      message: `can never fire: it needs ${what}, and in the texts that rules read all white space is single spaces; write \`${many ? '\\s' : instead}\` in ${many ? 'their' : 'its'} place`,
      offset,
      unsupported: false,
    };
  }
  const code = `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const written = instead.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const mend = instead === '' ? 'leave it out' : `write \`${written}\` in its place`;
  return {
    message: `can never fire: it needs ${JSON.stringify(text)} (${code}), and rules read texts in NFKC, without invisible characters; ${mend}`,
    offset,
    unsupported: false,
  };
}

function findUnsupported(pattern: string): PatternProblem | undefined {
  for (const { text, offset, inClass } of pieces(pattern)) {
    if (inClass || (text !== '(' && !text.startsWith('\\'))) continue;
    const rest = pattern.slice(offset, offset + 4);
    for (const [shape, name] of UNSUPPORTED) {
      if (shape.test(rest)) {
        const mend = mendOf(pattern, offset);
        return {
          message: `uses ${name.startsWith('a') ? 'an' : 'a'} ${name}. ${REASON} ${mend}`,
          offset,
          unsupported: true,
        };
      }
    }
  }
  return undefined;
}

const LOOK_AROUND = /^\(\?(<?)([=!])/;

/** What to write in place of what RE2 does not have: in the pattern's own words where that is simple. */
function mendOf(pattern: string, offset: number): string {
  const around = LOOK_AROUND.exec(pattern.slice(offset, offset + 4));
  const negative = around?.[2] === '!';
  const [opening = '', behind = ''] = around ?? [];
  const end = around === null ? undefined : outerGroupEnd(pattern, offset);
  if (end !== undefined) {
    const before = pattern.slice(0, offset);
    const body = pattern.slice(offset + opening.length, end - 1);
    const after = pattern.slice(end);
    // An alternation in the group would otherwise reach into what it is joined with.
    const joined = /\|/.test(body) ? `(?:${body})` : body;
    const other = behind === '' ? before + joined : joined + after;
    if (negative && canCompile(before + after) && canCompile(other)) {
      return `Write the pattern as \`${before}${after}\`, put \`${other}\` into a selection \`other\`, and ${APART}`;
    }
    if (
      !negative &&
      (behind === '' ? after : before) === '' &&
      canCompile(before + joined + after)
    ) {
      return `Write what must be there into the pattern: \`${before}${joined}${after}\``;
    }
  }
  if (around !== null && !negative) {
    return 'Write what must be there into the pattern, or into a selection of its own with `condition: name and other`';
  }
  return `Put what must not be there into a selection of its own and ${APART}`;
}

/** Where the group that begins at `offset` ends, when it stands in no other group and beside no alternative. */
function outerGroupEnd(pattern: string, offset: number): number | undefined {
  let depth = 0;
  let end: number | undefined;
  for (const { text, offset: at, inClass } of pieces(pattern)) {
    if (inClass) continue;
    if (text === '|' && depth === 0) return undefined;
    if (text === '(') {
      if (at === offset && depth > 0) return undefined;
      depth += 1;
    } else if (text === ')') {
      depth -= 1;
      if (depth === 0 && at > offset) end ??= at + 1;
    }
  }
  return end;
}

function canCompile(pattern: string): boolean {
  if (pattern === '') return false;
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

interface Piece {
  /** One character, or an escape as a whole. */
  readonly text: string;
  readonly offset: number;
  /** Inside of `[...]`. */
  readonly inClass: boolean;
}

const ESCAPE = /\\(?:[pPxu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S]?)/y;

function* pieces(pattern: string): Generator<Piece> {
  let inClass = false;
  let classStart = 0;
  for (let i = 0; i < pattern.length; ) {
    ESCAPE.lastIndex = i;
    const text = ESCAPE.exec(pattern)?.[0] ?? pattern[i] ?? '';
    const wasInClass = inClass;
    if (text === '[' && !inClass) {
      inClass = true;
      classStart = pattern[i + 1] === '^' ? i + 2 : i + 1;
    } else if (text === ']' && inClass && i > classStart) inClass = false;
    yield { text, offset: i, inClass: wasInClass };
    i += text.length;
  }
}

/** Letters of scripts whose words have no edges for the `\b` of RE2. */
const OTHER_SCRIPT = /(?![\0-\u024f\uff00-\uffef])[\p{L}\p{M}]/u;
const NON_ASCII = /[^\0-\x7f]/;

/**
 * Python's spelling in RE2's: `\uXXXX`, `\Z`. In a pattern with letters beyond ASCII `\w` means
 * a letter of any script, as it does in Python, and a `\b` beside such a letter is left out,
 * because RE2's `\b` knows ASCII only and would never hold there.
 */
export function toRe2(pattern: string): string {
  const wide = NON_ASCII.test(pattern);
  const otherScript = OTHER_SCRIPT.test(pattern);
  let out = '';
  for (const { text, offset, inClass } of pieces(pattern)) {
    if (/^\\u[0-9a-fA-F]{4}$/.test(text)) out += `\\x{${text.slice(2)}}`;
    else if (text === '\\Z') out += '\\z';
    else if (wide && text === '\\w')
      out += inClass ? '\\p{L}\\p{M}\\p{N}_' : '[\\p{L}\\p{M}\\p{N}_]';
    else if (wide && text === '\\W' && !inClass) out += '[^\\p{L}\\p{M}\\p{N}_]';
    else if (wide && text === '\\b' && !inClass) {
      const after = /^(?:\(\?:|\(|\[)*(.)/u.exec(pattern.slice(offset + 2, offset + 14))?.[1] ?? '';
      const before = pattern[offset - 1] ?? '';
      const unsure = otherScript && /[)\]*+?}]/.test(before);
      if (!unsure && !NON_ASCII.test(before + after)) out += text;
    } else out += text;
  }
  return out;
}

export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(toRe2(pattern), FLAGS);
}

/** Whether a pattern looks at where a text or line begins or ends, which a cut would make up. */
export function isAnchored(pattern: string): boolean {
  for (const { text, inClass } of pieces(pattern)) {
    if (!inClass && ['^', '$', '\\A', '\\z', '\\Z'].includes(text)) return true;
  }
  return false;
}
