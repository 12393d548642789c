import { type CanarySet, canaryHold, findCanary, prepareCanaries, SplitWatch } from '../canary.js';
import { checkGateOptions } from '../check-output-options.js';
import { checkText } from '../check-values.js';
import { fold } from '../output/fold.js';
import {
  canaryDetection,
  EXFIL_TAGS,
  heldTargets,
  linkChecker,
  type OutputOptions,
  unfinishedScheme,
  unfinishedTarget,
} from '../output/index.js';
import { scoreOf, type Thresholds, verdictOf } from '../scoring.js';
import type { Detection, ScanResult } from '../types.js';
import { CodedRuns } from './coded-runs.js';
import { HiddenCharacters } from './hidden-characters.js';

export interface GateOptions extends OutputOptions {
  /**
   * Judges the whole reply at its end; `Scanner.scanOutput` is one. By default the output checks alone are
   * scored.
   */
  readonly scan?: ((text: string) => ScanResult) | undefined;
  /** Thresholds of the verdict; 20 and 50. */
  readonly thresholds?: Thresholds | undefined;
  /** UTF-16 units that are held back at most, 8192. A target that is longer is a finding. */
  readonly mostHeld?: number | undefined;
  /** UTF-16 units of a reply that are read, 1,000,000. The rest is withheld, and that is a finding. */
  readonly longest?: number | undefined;
}

/** UTF-16 units before the held part that say what a target belongs to: an image, an attribute. */
const CONTEXT = 512;
/** UTF-16 units before the held part in which a canary may have begun whose first characters were let go. */
const CANARY_CONTEXT = 64;
/** Before any target stands one of these. */
const START_SIGN = /\]\(|\]:|=|l ?\(|t\(|:[/\\]|o:|\/\/|ww|@i|\\/i;
const LONGEST_SIGN = 2;
/** Every target with a host has one of these in it. */
const HOST_SIGN = /[:&\\]|\/\/|\/\\|www/i;
/** UTF-16 units from which on what is held is looked at again only when it has grown by an eighth. */
const LONG_HELD = 256;
/** None of these ends a target. */
const INSIDE = /^[\w%&=?/.:;#+~@$!*,-]*$/;

function overflow(text: string, start: number, end: number, title: string): Detection {
  return {
    id: 'PB-OVERFLOW',
    title,
    severity: 'medium',
    confidence: 0.7,
    tags: EXFIL_TAGS,
    matched: text.slice(start, end),
    span: { start, end },
    view: 'original',
  };
}

/**
 * Lets a reply through piece by piece, holding back what could still become a finding: the beginning of a
 * canary, a target that has not ended or, when `scan` is given, what a canary may be encoded in and characters that nobody
 * sees. From the first finding on nothing more is let through.
 *
 * The verdict is that of the whole reply, so it does not depend on how the reply was cut into pieces. A canary
 * in pieces is known only when its last piece comes; that piece is held, earlier ones have gone.
 */
export class OutputGate {
  readonly #scan: ((text: string) => ScanResult) | undefined;
  readonly #thresholds: Thresholds;
  readonly #mostHeld: number;
  readonly #longest: number;
  readonly #checkLinks: ReturnType<typeof linkChecker>;
  readonly #canaries: CanarySet;
  readonly #hold: (text: string) => number;
  readonly #split: SplitWatch;
  /** Only where the verdict comes from one who decodes. */
  readonly #coded: CodedRuns | undefined;
  readonly #hidden: HiddenCharacters | undefined;
  /** The whole reply, in pieces; joined once at the end. */
  readonly #pieces: string[] = [];
  #length = 0;
  #cut = false;
  /** Some text that was let through, and all that is held. */
  #window = '';
  /** How much of the window was let through. */
  #passed = 0;
  #blocked = false;
  /** A target has begun. */
  #watching = false;
  /** How much was still held after the last look. */
  #leftHeld = 0;

  /** @throws DetectError `bad-option` for an option that is unknown, of a wrong type or out of its range. */
  constructor(options: GateOptions = {}) {
    checkGateOptions(options);
    const { mostHeld = 8192, longest = 1_000_000 } = options;
    const { thresholds = { suspicious: 20, malicious: 50 } } = options;
    this.#scan = options.scan;
    this.#thresholds = thresholds;
    this.#mostHeld = mostHeld;
    this.#longest = longest;
    this.#checkLinks = linkChecker(options);
    this.#canaries = prepareCanaries(options.canaries ?? []);
    this.#hold = canaryHold(this.#canaries);
    this.#split = new SplitWatch(this.#canaries);
    const decodes = options.scan !== undefined && this.#canaries.needles.length > 0;
    this.#coded = decodes ? new CodedRuns(this.#canaries, mostHeld) : undefined;
    this.#hidden = options.scan === undefined ? undefined : new HiddenCharacters(mostHeld);
  }

  /** Takes the next piece and gives what may be shown now. */
  push(piece: string): string {
    checkText(piece);
    const room = this.#longest - this.#length;
    const taken = piece.slice(0, room);
    if (taken.length < piece.length) this.#cut = true;
    this.#pieces.push(taken);
    this.#length += taken.length;
    this.#window += taken;
    if (this.#blocked) return '';
    this.#coded?.push(taken);
    this.#hidden?.push(taken);
    const window = this.#window;
    const coded = Math.max(this.#coded?.held ?? 0, this.#hidden?.held ?? 0);
    // Nothing could be shown, whatever the rest of this says.
    if (coded > 0 && coded >= window.length - this.#passed) return '';
    if (this.#watching && INSIDE.test(taken)) {
      // The target goes on, and nothing before it is held any more.
      this.#blocked = window.length - this.#passed > this.#mostHeld;
      return '';
    }
    const held = window.length - this.#passed;
    // Looking again at each short piece would read a long held part thousands of times.
    const grown = held - this.#leftHeld > this.#leftHeld >> 3;
    if (this.#leftHeld > LONG_HELD && held <= this.#mostHeld && !grown) return '';
    const before = Math.max(0, this.#passed - CANARY_CONTEXT);
    let safe = Math.max(this.#passed, before + this.#hold(window.slice(before)));
    if (window.length - safe > this.#mostHeld) safe = window.length;
    safe = Math.min(safe, unfinishedScheme(window), window.length - coded);
    const since = Math.max(0, this.#passed - LONGEST_SIGN);
    if (this.#watching || START_SIGN.test(window.slice(since))) {
      const target = unfinishedTarget(window, this.#mostHeld);
      this.#watching = target !== undefined || /@i\w{0,6}\s*$/i.test(window.slice(-24));
      const first = target ?? window.length;
      // Too long to be held: nothing more is shown, and the end of the reply decides.
      if (window.length - first > this.#mostHeld) this.#blocked = true;
      safe = Math.min(safe, first);
    }
    if (/[\ud800-\udbff]$/.test(window)) safe = Math.min(safe, window.length - 1);
    return this.#release(this.#barrier(Math.max(safe, this.#passed)));
  }

  /** Where to stop before `safe` because of a finding; blocks the gate then. */
  #barrier(safe: number): number {
    if (safe === this.#passed) return safe;
    const starts: number[] = [];
    for (const leak of [this.#coded?.leak, this.#hidden?.leak]) {
      if (leak !== undefined) starts.push(leak - (this.#length - this.#window.length));
    }
    const passing = this.#window.slice(this.#passed, safe);
    if (HOST_SIGN.test(passing)) {
      for (const { span } of this.#checkLinks(this.#window, { definitionsLoad: true })) {
        if (span.end > this.#passed) starts.push(span.start);
      }
    }
    if (this.#canaries.needles.length > 0) {
      // A canary may end in the part that is held because another could begin there.
      const before = Math.max(0, this.#passed - CANARY_CONTEXT);
      const canary = findCanary(this.#window.slice(before), this.#canaries);
      if (canary !== undefined) starts.push(before + canary.span.start);
      const folded = fold(passing);
      const split = this.#split.push(folded.text);
      // The piece may have begun in text that has gone; then nothing of this part is shown.
      if (split !== undefined) starts.push(this.#passed + (folded.starts[split.end - 4] ?? 0));
    }
    const stop = Math.min(safe, ...starts);
    if (stop < safe) this.#blocked = true;
    return Math.max(stop, this.#passed);
  }

  #release(until: number): string {
    const text = this.#window.slice(this.#passed, until);
    const drop = this.#blocked ? 0 : Math.max(0, until - CONTEXT);
    this.#window = this.#window.slice(drop);
    this.#passed = until - drop;
    this.#leftHeld = this.#window.length - this.#passed;
    return text;
  }

  /** Whether a finding stops everything that comes. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Ends the reply: the verdict on all of it, and the rest of the text when that is benign. */
  end(): { readonly text: string; readonly result: ScanResult } {
    const reply = this.#pieces.join('');
    const result = this.#judge(reply);
    const rest = result.verdict === 'benign' ? this.#window.slice(this.#passed) : '';
    this.#passed = this.#window.length;
    return { text: rest, result };
  }

  #judge(reply: string): ScanResult {
    const detections: Detection[] = [];
    const long = heldTargets(reply).find(({ start, end }) => end - start > this.#mostHeld);
    if (long !== undefined) {
      detections.push(
        overflow(reply, long.start, long.end, 'A target is too long to be held back'),
      );
    }
    if (this.#cut) {
      const title = `The reply is longer than ${this.#longest} characters; the rest is withheld`;
      detections.push(overflow(reply, reply.length, reply.length, title));
    }
    if (this.#scan !== undefined) {
      const result = this.#scan(reply);
      if (detections.length === 0) return result;
      return this.#scored([...result.detections, ...detections.slice(0, 1)], reply, result.notes);
    }
    return this.#scored([...this.#checkReply(reply), ...detections.slice(0, 1)], reply, []);
  }

  #checkReply(reply: string): Detection[] {
    const canary = findCanary(reply, this.#canaries);
    const links = this.#checkLinks(reply);
    return canary === undefined ? links : [canaryDetection(canary, reply), ...links];
  }

  #scored(detections: readonly Detection[], reply: string, notes: readonly string[]): ScanResult {
    const score = scoreOf(detections);
    const verdict = verdictOf(score, this.#thresholds);
    return { verdict, score, detections, scope: 'output', inputLength: reply.length, notes };
  }
}
