import type { RE2JS } from 're2js';
import type { Span } from '../types.js';
import { lazily } from '../views/character-classes.js';

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
const MOST_STATES = 512;
/** Steps for each unit of the text, over all places to begin at, after which the search is given up. */
const MOST_STEPS = 16;

interface State {
  /** Instructions to go on from, the preferred one first. */
  readonly threads: readonly number[];
  readonly before: number;
  readonly ascii: (Move | undefined)[];
  readonly wide: Map<number, Move>;
}

interface Move {
  /** The preferred way through the pattern is complete before the character. */
  readonly matched: boolean;
  /** Undefined when no way goes on. */
  readonly next: State | undefined;
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
  #states = new Map<string, State>();
  #starts: (State | undefined)[] = [];
  /** 1 where no match begins: per what stood before, and per character of ASCII. */
  readonly #dead = new Uint8Array(4 * 128);
  readonly #marked: Uint32Array;
  #mark = 0;

  private constructor(program: readonly Instruction[], start: number) {
    this.#program = program;
    this.#start = start;
    this.#marked = new Uint32Array(program.length);
  }

  /** Undefined when the pattern's program is not one that is understood here. */
  static of(pattern: RE2JS): FirstMatch | undefined {
    const program = programOf(pattern);
    return program && new FirstMatch(program.inst, program.start);
  }

  /**
   * The leftmost match from a place on; `undefined` when there is none, `null` when the search was
   * given up because it took too long. It begins no later than at `until`, and ends no later than at `limit`.
   */
  find(
    text: string,
    from: number,
    until = text.length,
    limit = text.length,
  ): Span | undefined | null {
    let left = MOST_STEPS * (until - from + 64);
    const dead = this.#dead;
    let before = beforeAt(text, from);
    for (let start = from; start <= until; start++) {
      const first = start < text.length ? text.charCodeAt(start) : 128;
      if (first < 128) {
        if (dead[before * 128 + first] === 1) {
          before = kindOf(first);
          continue;
        }
      } else if (first >= 0xdc00 && first <= 0xdfff && isPair(text, start)) {
        // Not between the two halves of a character.
        before = AFTER_OTHER;
        continue;
      }
      let state: State | undefined = this.#startState(before);
      let end = -1;
      let at = start;
      while (state) {
        const rune = at < text.length ? (text.codePointAt(at) ?? END) : END;
        const move: Move =
          (rune < 128 ? state.ascii[rune + 1] : state.wide.get(rune)) ?? this.#move(state, rune);
        if (move.matched) end = at;
        state = at >= limit ? undefined : move.next;
        at += rune > 0xffff ? 2 : 1;
        left -= 1;
      }
      if (end >= 0) return { start, end };
      if (first < 128 && at === start + 1 && start < limit) dead[before * 128 + first] = 1;
      if (left < 0) return null;
      before = kindOf(first);
    }
    return undefined;
  }

  #startState(before: number): State {
    const known = this.#starts[before];
    if (known) return known;
    const state = this.#state([this.#start], before);
    this.#starts[before] = state;
    return state;
  }

  #state(threads: readonly number[], before: number): State {
    const key = `${before} ${threads.join(' ')}`;
    let state = this.#states.get(key);
    if (state) return state;
    state = { threads, before, ascii: [], wide: new Map() };
    // States that are in use stay usable; they are only found no more.
    if (this.#states.size >= MOST_STATES) {
      this.#states = new Map();
      this.#starts = [];
    }
    this.#states.set(key, state);
    return state;
  }

  #move(state: State, rune: number): Move {
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
    const move = {
      matched,
      next: next.length > 0 ? this.#state(next, kindOf(rune)) : undefined,
    };
    if (rune < 128) state.ascii[rune + 1] = move;
    else if (state.wide.size < 256) state.wide.set(rune, move);
    return move;
  }

  #takes(pc: number, rune: number): boolean {
    const instruction = this.#program[pc];
    if (!instruction) return false;
    if (instruction.op === RUNE_ANY_NOT_NL) return rune !== 10;
    return instruction.op === RUNE_ANY || instruction.matchRune(rune);
  }
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

function isWordUnit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  );
}

const kinds: () => Uint8Array = lazily(() =>
  Uint8Array.from({ length: 128 }, (_, rune) =>
    rune === 10 ? AFTER_BREAK : isWordUnit(rune) ? AFTER_WORD : AFTER_OTHER,
  ),
);

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
