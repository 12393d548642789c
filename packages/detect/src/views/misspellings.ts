import { lazily } from './character-classes.js';

/** Words of attacks that are recognised when they are misspelled; five letters or more, by hand. */
const TARGETS = `ignore disregard forget bypass override overrule neglect dismiss discard abandon
reveal print display output repeat expose disclose pretend follow execute perform enable disable
activate unlock delete erase decode translate forward upload download transfer exfiltrate jailbreak
simulate respond answer previous prior above earlier preceding former initial original hidden secret
secrets system internal confidential private unrestricted unfiltered uncensored developer safety
security instruction instructions rules prompt prompts guideline guidelines directive directives
context message messages command commands policy policies restriction restrictions limitation
limitations constraint constraints filter filters password passwords token tokens credential
credentials configuration conversation training guardrail guardrails safeguard safeguards ethics
ethical unethical persona assistant administrator everything anything before verbatim without
malicious immediately important character content emails address question questions write every`;

/** Short words that stand among them; put right only beside others. */
const SMALL = `the your you all any and are was were with from that this what show tell told give send
must now only write above never keys email them their mode safe instead`;

/** English words one letter from a target, which are no misspellings. Lower case, by hand. */
const WORDS = `abode roles rubles ruses runes rulers ruler ruled chanter chapter
chapiter chaster chatter charter commandos commends commend compand confirmation confiscation
conservation convention convection convocation constants constrains constrain contest contexts decade
decoded decodes deflective dissective deplete dilate delate develope dish disable discord diable ease
eras erose ethic ethnics ethnical ethnic expos fallow fellow falter falters filler fillers filer filers
filmer filmers filtre fitter fitters felter farmer firmer foamer forcer forger forge forgot forgat
froward foreward unblock undock uncock uplock imitant implant induction inductions inspection
inspections insection internals infernal interval massage massages messuage nearlier pearlier overrode
overside overwide paint pint sprint precious polities polity proceeding preying preening
pressing pretending prodding precluding prepping propping portend protend prebend preform redeal repeal
reseal revel repent reseat reheat resection section safely screet stimulate straining tokes taken
tokers toke translated transmute unaltered uncensured unrespected uncolored unheated tenable private
primate restrictive restrictively directives conversations demo ear era ends hits hows hist meth meths
nerve saw thaw whit won dome shit dolt ewer mots stum smut nay weer veery tums kyes dan erven sith
hots ither tel lal aal snow owns thou thous vile tows nigh sent stained sainted eth wits whist twister
swath tyler wiry thew mount muts must revels sever serve veers ever nerved wont waste sweat tawse
waiting cornet tinder promt's fitters evert revert prior's prier plier messenger passage sage
unfettered contexte systole postions prompter prompted answerer reveals rebel fallows shared
restricted restrict constrict defective detective digestive divertive exhilarate litigation
litigations levitation retraction retractions presiding precoding constant condensation impotent
lamination transudate polices secretes unload dens detain detains
consent convent embails revert waite wrate writ writhe eery emery revery trainings`;

/** Length from which two letters may be wrong. */
const LONG = 9;

export interface Target {
  readonly word: string;
  /** Its letters as bits. */
  readonly letters: number;
}

/**
 * Letters of targets, as bits, by the first letter and the length of words that may misspell them: those of
 * `letter * 32 + length` stand from `from` of that place to `from` of the next, each with the most letters that may be in
 * one word and not in the other.
 */
export interface Suspects {
  readonly from: Int32Array;
  readonly letters: Int32Array;
  readonly most: Uint8Array;
}

export interface Misspellings {
  /** Targets by first letter and length: `letter * 32 + length`. */
  readonly byShape: readonly (readonly Target[] | undefined)[];
  /** Letters of every target, and of every small word, as bits. */
  readonly letters: ReadonlySet<number>;
  /** Letters of the targets that a word may misspell, see {@link Suspects}. */
  readonly suspects: Suspects;
  /** Small words by their letters in order. */
  readonly small: ReadonlyMap<string, string>;
  /** Targets by their letters without repetition. */
  readonly single: ReadonlyMap<string, string>;
  readonly words: ReadonlySet<string>;
}

/** Longest target. */
export const LONGEST_TARGET = 16;

function listOf(words: string): string[] {
  return words.split(/\s+/u).filter((word) => word !== '');
}

/** Which letters a word has, as bits; small ones of ASCII. */
export function letterBits(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i += 1) bits |= 1 << (word.charCodeAt(i) - 0x61);
  return bits;
}

export function sortedLetters(word: string): string {
  return Array.from(word).toSorted().join('');
}

export const misspellings: () => Misspellings = lazily(() => {
  const byShape: Target[][] = [];
  const single = new Map<string, string>();
  const letters = new Set<number>();
  for (const word of listOf(TARGETS)) {
    const shape = shapeOf(word.charCodeAt(0), word.length);
    const list = byShape[shape] ?? [];
    list.push({ word, letters: letterBits(word) });
    byShape[shape] = list;
    single.set(withoutRepeats(word), word);
    letters.add(letterBits(word));
  }
  const small = new Map<string, string>();
  for (const word of listOf(SMALL)) {
    small.set(sortedLetters(word), word);
    single.set(withoutRepeats(word), word);
    letters.add(letterBits(word));
  }
  return {
    byShape,
    suspects: suspectsOf(byShape),
    letters,
    small,
    single,
    words: new Set(listOf(WORDS)),
  };
});

function suspectsOf(byShape: readonly (readonly Target[] | undefined)[]): Suspects {
  const from = new Int32Array(26 * 32 + 1);
  const letters: number[] = [];
  const most: number[] = [];
  for (let shape = 0; shape < 26 * 32; shape += 1) {
    from[shape] = letters.length;
    const reach = shape % 32 < LONG ? 1 : 2;
    const first = shape - (shape % 32);
    for (let near = Math.max(first, shape - reach); near <= shape + reach; near += 1) {
      for (const target of near < first + 32 ? (byShape[near] ?? []) : []) {
        letters.push(target.letters);
        most.push(target.word.length >= LONG ? 4 : 2);
      }
    }
  }
  from[26 * 32] = letters.length;
  return { from, letters: Int32Array.from(letters), most: Uint8Array.from(most) };
}

/** Key of words that begin with a letter and have a length. */
export function shapeOf(first: number, length: number): number {
  return (first - 0x61) * 32 + length;
}

export function withoutRepeats(word: string): string {
  return word.replaceAll(/(.)\1+/gu, '$1');
}

/**
 * Whether `word` is `target` with one letter wrong, missing, too many or swapped with its
 * neighbour, or with the letters between the first and the last in another order. Endings that
 * grammar makes are not counted.
 */
export function isMisspelled(word: string, target: string): boolean {
  const size = word.length;
  const wanted = target.length;
  let from = 0;
  while (from < size && from < wanted && word.charCodeAt(from) === target.charCodeAt(from))
    from += 1;
  let end = 0;
  const most = Math.min(size, wanted) - from;
  while (end < most && word.charCodeAt(size - 1 - end) === target.charCodeAt(wanted - 1 - end))
    end += 1;
  const left = size - from - end;
  const right = wanted - from - end;
  if (left === 0) return right === 1;
  if (left === 1 && right === 0) return end > 0;
  if (left === 1 && right === 1) return end > 0 && (from > 0 || wanted > 7);
  if (left === 2 && right === 2 && isSwapped(word, target, from)) return true;
  if (size === wanted && from > 0 && end > 0) {
    const inner = word.slice(from, size - end);
    if (sortedLetters(inner) === sortedLetters(target.slice(from, wanted - end))) return true;
  }
  // Two letters of a long word, away from its ending.
  return wanted >= LONG && end >= 2 && from > 0 && distance(word, target) <= 2;
}

/** Letters wrong, missing, too many or swapped, by optimal string alignment. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(k - 1);
      let least = Math.min((last[k] ?? 0) + 1, (row[k - 1] ?? 0) + 1);
      least = Math.min(least, (last[k - 1] ?? 0) + (same ? 0 : 1));
      const swapped =
        i > 1 &&
        k > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(k - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(k - 1);
      if (swapped) least = Math.min(least, (before[k - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

function isSwapped(word: string, target: string, at: number): boolean {
  return (
    word.charCodeAt(at) === target.charCodeAt(at + 1) &&
    word.charCodeAt(at + 1) === target.charCodeAt(at)
  );
}
