import type { RE2JS } from 're2js';
import type { Span } from '../types.js';
import { lazily } from '../views/character-classes.js';
import { ROW_BITS } from './word-tree.js';
import { isWordUnit } from './word-units.js';

/** One instruction of a compiled pattern, as re2js keeps it. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  matchRune(rune: number): boolean;
}

const ALT = 1;
const ALT_MATCH = 2;
const CAPTURE = 3;
const EMPTY_WIDTH = 4;
const FAIL = 5;
const MATCH = 6;
const NOP = 7;
const RUNE = 8;
const RUNE_ANY = 10;
const RUNE_ANY_NOT_NL = 11;

const BEGIN_LINE = 1;
const END_LINE = 2;
const BEGIN_TEXT = 4;
const END_TEXT = 8;
const BOUNDARY = 16;
const NO_BOUNDARY = 32;

/** What stood before a place. */
const AT_START = 0;
const AFTER_BREAK = 1;
const AFTER_WORD = 2;
const AFTER_OTHER = 3;

/** Stands for the end of the text. */
const END = -1;
/** States kept of one pattern; beyond it all are dropped and made again as needed. */
const MOST_STATES = 2_048;
/** Steps for each unit of the text, over all places to begin at, after which the search is given up. */
const MOST_STEPS = 16;

/**
 * Characters that texts are mostly made of. Moves by them stand in rows of 32, one line of a processor's cache for each
 * state, since what a search costs is mostly the lines that it has to wait for.
 */
const HOT = "abcdefghijklmnopqrstuvwxyz '-.,?";
/** Stands for a character that has its place in the other rows. */
const COLD = 32;

/** Moves by other characters of ASCII: one for the end of the text, and one for each character. */
const COLD_ROW = 129;
/** Where no way goes on. */
const NOWHERE = -1;

/**
 * What a character does in a state. Bit 0: the preferred way through the pattern is complete before the character; the
 * rest is one more than the state that follows, or 0 for none. In the table one is added, as 0 is what is not known.
 */
type Move = number;

interface State {
  /** Instructions to go on from, the preferred one first. */
  readonly threads: readonly number[];
  readonly before: number;
  /** Moves by characters beyond ASCII. */
  wide: Map<number, Move> | undefined;
}

/**
 * Finds where a pattern matches, with the choice among ways that a backtracking search would make.
 *
 * re2js has a fast automaton for whether a pattern matches; for where, it follows all ways through
 * the pattern at once, which takes a hundred times as long for lists of many words. This is the fast
 * automaton for where: ways are kept in order of preference, and what is worked out once is kept.
 */
export class FirstMatch {
  readonly #program: readonly Instruction[];
  readonly #start: number;
  #states: State[] = [];
  #numbers = new Map<string, number>();
  /** Per character of ASCII its place in a row of `#hot`, or {@link COLD}. */
  readonly #classOf: Uint8Array;
  readonly #kinds = kinds();
  /** Moves of all states, row by row: what a search reads at each step stands together. */
  #hot = new Int16Array(4 << ROW_BITS);
  /** Made when a text needs it. */
  #cold = new Int16Array(0);
  /** The state to begin with by what stood before, or -1. */
  #starts: [number, number, number, number] = [NOWHERE, NOWHERE, NOWHERE, NOWHERE];
  /** 1 where no match begins: per what stood before, and per character of ASCII. */
  readonly #dead = new Uint8Array(4 * 128);
  readonly #marked: Uint32Array;
  #mark = 0;

  private constructor(program: readonly Instruction[], start: number, folds: boolean) {
    this.#program = program;
    this.#start = start;
    this.#classOf = folds ? folding() : exact();
    this.#marked = new Uint32Array(program.length);
  }

  /**
   * Undefined when the pattern's program is not one that is understood here. `folds` says that the pattern takes no
   * letter of ASCII for other than its capital.
   */
  static of(pattern: RE2JS, folds = false): FirstMatch | undefined {
    const program = programOf(pattern);
    return program && new FirstMatch(program.inst, program.start, folds);
  }

  /**
   * The leftmost match from a place on; `undefined` when there is none, `null` when the search was
   * given up because it took too long. It begins no later than at `until`, and ends no later than at `limit`. `^` holds
   * where `startsLine` says so, as well as at the beginning of the text.
   */
  find(
    text: string,
    from: number,
    until = text.length,
    limit = text.length,
    startsLine?: (at: number) => boolean,
  ): Span | undefined | null {
    let left = MOST_STEPS * (until - from + 64);
    const [dead, kindOfUnit, classOf] = [this.#dead, this.#kinds, this.#classOf];
    let before = beforeAt(text, from);
    for (let start = from; start <= until; start++) {
      const first = start < text.length ? text.charCodeAt(start) : 128;
      if (first < 128) {
        if (dead[(before << 7) | first] === 1) {
          // A line that begins here may yet let a match begin.
          const line = before === AFTER_OTHER && startsLine !== undefined && dead[first] === 0;
          if (!line || !startsLine(start)) {
            before = kindOfUnit[first] ?? AFTER_OTHER;
            continue;
          }
          before = AT_START;
        } else if (before === AFTER_OTHER && startsLine?.(start) === true) before = AT_START;
      } else if (first >= 0xdc00 && first <= 0xdfff && isPair(text, start)) {
        // Not between the two halves of a character.
        before = AFTER_OTHER;
        continue;
      } else if (before === AFTER_OTHER && startsLine?.(start) === true) before = AT_START;
      let state = this.#startState(before);
      let end = -1;
      let at = start;
      while (state >= 0) {
        let rune = at < text.length ? text.charCodeAt(at) : END;
        let move: Move | undefined;
        const kind = rune < 128 && rune >= 0 ? (classOf[rune] ?? COLD) : COLD;
        if (kind < COLD) {
          move = (this.#hot[(state << ROW_BITS) | kind] ?? 0) - 1;
        } else if (rune < 128) {
          move = (this.#cold[state * COLD_ROW + rune + 1] ?? 0) - 1;
        } else {
          if (rune >= 0xd800 && rune <= 0xdbff) rune = text.codePointAt(at) ?? rune;
          move = this.#states[state]?.wide?.get(rune);
        }
        if (move === undefined || move < 0) move = this.#move(state, rune);
        if ((move & 1) === 1) end = at;
        state = at >= limit ? NOWHERE : (move >> 1) - 1;
        at += rune > 0xffff ? 2 : 1;
        left -= 1;
      }
      if (end >= 0) return { start, end };
      if (first < 128 && at === start + 1 && start < limit) dead[(before << 7) | first] = 1;
      if (left < 0) return null;
      before = first < 128 ? (kindOfUnit[first] ?? AFTER_OTHER) : AFTER_OTHER;
    }
    return undefined;
  }

  #startState(before: number): number {
    const known = this.#starts[before] ?? NOWHERE;
    if (known >= 0) return known;
    const state = this.#state([this.#start], before);
    this.#starts[before] = state;
    return state;
  }

  #state(threads: readonly number[], before: number): number {
    const key = `${before} ${threads.join(' ')}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#states.length >= MOST_STATES) this.#forget();
    const state = this.#states.length;
    this.#states.push({ threads, before, wide: undefined });
    this.#numbers.set(key, state);
    if ((state + 1) << ROW_BITS > this.#hot.length)
      this.#hot = widened(this.#hot, this.#hot.length * 2);
    return state;
  }

  #forget(): void {
    this.#states = [];
    this.#numbers = new Map();
    this.#hot.fill(0);
    this.#cold.fill(0);
    this.#starts = [NOWHERE, NOWHERE, NOWHERE, NOWHERE];
  }

  #move(from: number, rune: number): Move {
    const state = this.#states[from];
    if (!state) return 0;
    const flags = flagsBetween(state.before, rune);
    const next: number[] = [];
    let matched = false;
    this.#mark += 1;
    const seen = this.#mark;
    const stack = state.threads.toReversed();
    const marked = this.#marked;
    const taken = new Set<number>();
    for (let pc = stack.pop(); pc !== undefined && !matched; pc = stack.pop()) {
      if (marked[pc] === seen) continue;
      marked[pc] = seen;
      const { op, out, arg } = this.#program[pc] ?? NOTHING;
      if (op === ALT || op === ALT_MATCH) stack.push(arg, out);
      else if (op === CAPTURE || op === NOP) stack.push(out);
      else if (op === EMPTY_WIDTH) {
        if ((arg & ~flags) === 0) stack.push(out);
      } else if (op === MATCH) matched = true;
      else if (op >= RUNE && rune !== END && this.#takes(pc, rune) && !taken.has(out)) {
        taken.add(out);
        next.push(out);
      }
    }
    const follows = next.length > 0 ? this.#state(next, kindOf(rune)) + 1 : 0;
    const move = follows * 2 + (matched ? 1 : 0);
    // All states may have been dropped to make room for the one that follows.
    if (this.#states[from] !== state) return move;
    this.#note(from, state, rune, move);
    return move;
  }

  #note(from: number, state: State, rune: number, move: Move): void {
    if (rune >= 128) {
      state.wide ??= new Map();
      if (state.wide.size < 256) state.wide.set(rune, move);
      return;
    }
    const kind = rune === END ? COLD : (this.#classOf[rune] ?? COLD);
    if (kind < COLD) {
      this.#hot[(from << ROW_BITS) | kind] = move + 1;
      return;
    }
    const least = (from + 1) * COLD_ROW;
    if (least > this.#cold.length) this.#cold = widened(this.#cold, least * 2);
    this.#cold[from * COLD_ROW + rune + 1] = move + 1;
  }

  #takes(pc: number, rune: number): boolean {
    const instruction = this.#program[pc];
    if (!instruction) return false;
    if (instruction.op === RUNE_ANY_NOT_NL) return rune !== 10;
    return instruction.op === RUNE_ANY || instruction.matchRune(rune);
  }
}

function widened(list: Int16Array, size: number): Int16Array<ArrayBuffer> {
  const wider = new Int16Array(size);
  wider.set(list);
  return wider;
}

/** Per character of ASCII its place in a row, capitals beside their small letters or not. */
function classes(folds: boolean): Uint8Array {
  const classOf = new Uint8Array(128).fill(COLD);
  for (let i = 0; i < HOT.length; i++) {
    const code = HOT.charCodeAt(i);
    classOf[code] = i;
    if (folds && code >= 97 && code <= 122) classOf[code - 32] = i;
  }
  return classOf;
}

const folding: () => Uint8Array = lazily(() => classes(true));
const exact: () => Uint8Array = lazily(() => classes(false));

const NOTHING = { op: FAIL, out: 0, arg: 0 } as const;

function programOf(
  pattern: RE2JS,
): { readonly inst: readonly Instruction[]; readonly start: number } | undefined {
  const program: unknown = pattern.re2Input.prog;
  if (typeof program !== 'object' || program === null) return undefined;
  if (!('inst' in program) || !('start' in program)) return undefined;
  const { inst, start } = program;
  if (!Array.isArray(inst) || typeof start !== 'number' || !inst.every(isInstruction)) {
    return undefined;
  }
  return { inst, start };
}

function isInstruction(value: unknown): value is Instruction {
  if (typeof value !== 'object' || value === null) return false;
  if (!('op' in value && 'out' in value && 'arg' in value && 'matchRune' in value)) return false;
  const { op, out, arg, matchRune } = value;
  const known = typeof op === 'number' && op >= ALT && op <= RUNE_ANY_NOT_NL;
  return (
    known && typeof out === 'number' && typeof arg === 'number' && typeof matchRune === 'function'
  );
}

const kinds: () => Uint8Array = lazily(() =>
  Uint8Array.from({ length: 128 }, (_, rune) =>
    rune === 10 ? AFTER_BREAK : isWordUnit(rune) ? AFTER_WORD : AFTER_OTHER,
  ),
);

/** What a character is for the one after it. */
function kindOf(rune: number): number {
  return rune < 128 && rune >= 0 ? (kinds()[rune] ?? AFTER_OTHER) : AFTER_OTHER;
}

function beforeAt(text: string, at: number): number {
  return at === 0 ? AT_START : kindOf(text.charCodeAt(at - 1));
}

function flagsBetween(before: number, rune: number): number {
  let flags = (before === AFTER_WORD) === isWordUnit(rune) ? NO_BOUNDARY : BOUNDARY;
  if (before === AT_START) flags |= BEGIN_TEXT | BEGIN_LINE;
  if (before === AFTER_BREAK) flags |= BEGIN_LINE;
  if (rune === END) flags |= END_TEXT | END_LINE;
  if (rune === 10) flags |= END_LINE;
  return flags;
}

/** Whether a low surrogate is the second half of a pair. */
function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at - 1);
  return high >= 0xd800 && high <= 0xdbff;
}
