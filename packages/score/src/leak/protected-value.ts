import { fold } from '@pab/model';
import type { LeakStep } from './finding.js';
import { reversed, rot13, type View } from './views.js';

/** Folded characters that a value needs to be looked for as it is, and in any other form. */
export const MIN_WHOLE = 8;
export const MIN_TRANSFORMED = 12;

/** Left out between the letters of a value that is spelt out or grouped another way. */
const SEPARATORS = /[\s\-_.,:;/\\|+*~=·•‐-―'"`´()[\]{}<>]+/gu;

interface Needle {
  readonly folded: string;
  readonly squeezed: string;
  readonly how: readonly LeakStep[];
}

/** A protected value, made ready for looking. */
export interface ProtectedValue {
  readonly value: string;
  readonly folded: string;
  readonly needles: readonly Needle[];
  /**
   * Letters and digits mixed are not met by chance where two words run into each other; a value of words or of digits alone is
   * only taken without its separators when it stands between word boundaries.
   */
  readonly distinct: boolean;
}

function squeeze(folded: string): string {
  return folded.replace(SEPARATORS, '');
}

export function protect(value: string): ProtectedValue {
  const folded = fold(value);
  const forms: readonly (readonly [string, readonly LeakStep[]])[] = [
    [folded, []],
    [reversed(folded), ['reversed']],
    [rot13(folded), ['rot13']],
    [reversed(rot13(folded)), ['reversed', 'rot13']],
  ];
  return {
    value,
    folded,
    needles: forms.map(([form, how]) => ({ folded: form, squeezed: squeeze(form), how })),
    distinct: /\p{L}/u.test(folded) && /\p{N}/u.test(folded),
  };
}

const WORD_CHAR = /[\p{L}\p{N}]/u;

export function isWordChar(char: string | undefined): boolean {
  return char !== undefined && WORD_CHAR.test(char);
}

/** Whether `needle` stands in `folded`, separators aside, and begins and ends where words do. */
function standsBetweenBoundaries(folded: string, needle: string): boolean {
  const kept: number[] = [];
  let squeezed = '';
  const gaps = new RegExp(SEPARATORS.source, 'uy');
  for (let index = 0; index < folded.length; ) {
    gaps.lastIndex = index;
    const gap = gaps.exec(folded);
    if (gap !== null) {
      index += gap[0].length;
      continue;
    }
    squeezed += folded.charAt(index);
    kept.push(index);
    index += 1;
  }
  let at = squeezed.indexOf(needle);
  while (at >= 0) {
    const first = kept[at] ?? 0;
    const last = kept[at + needle.length - 1] ?? 0;
    if (!isWordChar(folded[first - 1]) && !isWordChar(folded[last + 1])) return true;
    at = squeezed.indexOf(needle, at + 1);
  }
  return false;
}

/** How the value stands in one view; undefined when it does not. */
export function findInView(
  value: ProtectedValue,
  { text, how }: View,
): readonly LeakStep[] | undefined {
  const { length } = value.folded;
  if (how.length === 0 && text.includes(value.value)) return ['verbatim'];
  if (how.length > 0 && length < MIN_TRANSFORMED) return undefined;
  const folded = fold(text);
  const squeezed = squeeze(folded);
  for (const needle of value.needles) {
    // Backwards or rotated text under no encoding is a transformation too.
    if (needle.how.length > 0 && length < MIN_TRANSFORMED) return undefined;
    if (folded.includes(needle.folded)) {
      if (needle.how.length > 0 || how.length > 0) return [...how, ...needle.how];
      return ['case'];
    }
    if (length < MIN_TRANSFORMED || needle.squeezed.length < MIN_WHOLE) continue;
    if (!squeezed.includes(needle.squeezed)) continue;
    if (value.distinct || standsBetweenBoundaries(folded, needle.squeezed)) {
      return [...how, ...needle.how, 'separators'];
    }
  }
  return undefined;
}
