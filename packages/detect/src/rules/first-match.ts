import type { RE2JS } from 're2js';
import type { Span } from '../types.js';
import { lazily } from '../views/character-classes.js';
import {
  END_SYMBOL,
  exactSymbols,
  foldedSymbols,
  type Move,
  MoveTable,
  NOWHERE,
} from './move-table.js';
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
/** Steps for each unit of the text, over all places to begin at, after which the search is given up. */
const MOST_STEPS = 16;

/** What a state stands for, which only a move that is not known yet needs. */
interface State {
  /** Instructions to go on from, the preferred one first. */
  readonly threads: readonly number[];
  readonly before: number;
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
  readonly #table: MoveTable;
  /** Of the table, when the states were made. */
  #age = -1;
  readonly #states = new Map<number, State>();
  readonly #numbers = new Map<string, number>();
  readonly #symbols: Uint8Array;
  readonly #kinds = kinds();
  /** The state to begin with by what stood before, or -1. */
  readonly #starts: [number, number, number, number] = [NOWHERE, NOWHERE, NOWHERE, NOWHERE];
  /** A bit for each character of ASCII at which no match begins, per what stood before. */
  readonly #dead = new Int32Array(16);
  readonly #marked: Uint32Array;
  #mark = 0;

  private constructor(
    program: readonly Instruction[],
    start: number,
    folds: boolean,
    table: MoveTable,
  ) {
    this.#program = program;
    this.#start = start;
    this.#table = table;
    this.#symbols = folds ? foldedSymbols() : exactSymbols();
    this.#marked = new Uint32Array(program.length);
  }

  /**
   * Undefined when the pattern's program is not one that is understood here. `folds` says that the pattern takes no
   * letter of ASCII for other than its capital. Patterns may share a table.
   */
  static of(pattern: RE2JS, folds = false, table = new MoveTable()): FirstMatch | undefined {
    const program = programOf(pattern);
    return program && new FirstMatch(program.inst, program.start, folds, table);
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
    const [kindOfUnit, symbols, table] = [this.#kinds, this.#symbols, this.#table];
    const dead = this.#dead;
    const length = text.length;
    let before = beforeAt(text, from);
    for (let start = from; start <= until; start++) {
      const first = start < length ? text.charCodeAt(start) : 128;
      if (first < 128) {
        if (isSet(dead, before, first)) {
          // A line that begins here may yet let a match begin.
          const line = before === AFTER_OTHER && startsLine !== undefined;
          if (!line || isSet(dead, AT_START, first) || !startsLine(start)) {
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
        let rune = at < length ? text.charCodeAt(at) : END;
        let move: Move;
        if (rune < 128) {
          const symbol = rune < 0 ? END_SYMBOL : (symbols[rune] ?? 0);
          move = table.get(state, symbol);
          if (move < 0) move = this.#move(state, rune, symbol);
        } else {
          if (rune >= 0xd800 && rune <= 0xdbff) rune = text.codePointAt(at) ?? rune;
          move = table.getWide(state, rune);
          if (move < 0) move = this.#move(state, rune, 0);
        }
        if ((move & 1) === 1) end = at;
        state = at >= limit ? NOWHERE : (move >> 1) - 1;
        at += rune > 0xffff ? 2 : 1;
        left -= 1;
      }
      if (end >= 0) return { start, end };
      if (first < 128 && at === start + 1 && start < limit) {
        const word = (before << 2) | (first >> 5);
        dead[word] = (dead[word] ?? 0) | (1 << (first & 31));
      }
      if (left < 0) return null;
      before = first < 128 ? (kindOfUnit[first] ?? AFTER_OTHER) : AFTER_OTHER;
    }
    return undefined;
  }

  #startState(before: number): number {
    if (this.#age !== this.#table.age) this.#forget();
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
    if (!this.#table.hasRoom) {
      this.#table.clear();
      this.#forget();
    }
    const number = this.#table.add();
    this.#states.set(number, { threads, before });
    this.#numbers.set(key, number);
    return number;
  }

  #forget(): void {
    this.#age = this.#table.age;
    this.#states.clear();
    this.#numbers.clear();
    this.#starts.fill(NOWHERE);
  }

  /** Works out a move that is not known yet; `symbol`: that of a character of ASCII, or 0. */
  #move(from: number, rune: number, symbol: number): Move {
    const state = this.#states.get(from);
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
    const age = this.#age;
    const follows = next.length > 0 ? this.#state(next, kindOf(rune)) + 1 : 0;
    const move = follows * 2 + (matched ? 1 : 0);
    // All states may have been dropped to make room for the one that follows.
    if (this.#age !== age) return move;
    if (symbol > 0) this.#table.set(from, symbol, move);
    else this.#table.setWide(from, rune, move);
    return move;
  }

  #takes(pc: number, rune: number): boolean {
    const instruction = this.#program[pc];
    if (!instruction) return false;
    if (instruction.op === RUNE_ANY_NOT_NL) return rune !== 10;
    return instruction.op === RUNE_ANY || instruction.matchRune(rune);
  }
}

function isSet(dead: Int32Array, before: number, first: number): boolean {
  return (((dead[(before << 2) | (first >> 5)] ?? 0) >>> (first & 31)) & 1) === 1;
}

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
