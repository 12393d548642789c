import { canaryHold, prepareCanaries, SplitWatch } from '../canary.js';
import { fold } from '../output/fold.js';
import {
  EXFIL_TAGS,
  heldTargets,
  type OutputOptions,
  outputChecker,
  unfinishedTarget,
} from '../output/index.js';
import { scoreOf, type Thresholds, verdictOf } from '../scoring.js';
import type { Detection, ScanResult } from '../types.js';

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
const CONTEXT = 1024;
/** Without any of these no target begins or goes on. */
const TARGET_SIGN = /[:/(=&<[\]]|ww|@i|url/i;

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
 * canary, or a target that has not ended. From the first finding on nothing more is let through.
 *
 * The verdict is that of the whole reply, so it does not depend on how the reply was cut into pieces. A canary
 * in pieces is known only when its last piece comes; that piece is held, earlier ones have gone.
 */
export class OutputGate {
  readonly #scan: ((text: string) => ScanResult) | undefined;
  readonly #thresholds: Thresholds;
  readonly #mostHeld: number;
  readonly #longest: number;
  readonly #check: ReturnType<typeof outputChecker>;
  readonly #hold: (text: string) => number;
  readonly #split: SplitWatch;
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

  constructor(options: GateOptions = {}) {
    const { mostHeld = 8192, longest = 1_000_000 } = options;
    const { thresholds = { suspicious: 20, malicious: 50 } } = options;
    this.#scan = options.scan;
    this.#thresholds = thresholds;
    this.#mostHeld = mostHeld;
    this.#longest = longest;
    this.#check = outputChecker(options);
    const canaries = prepareCanaries(options.canaries ?? []);
    this.#hold = canaryHold(canaries);
    this.#split = new SplitWatch(canaries);
  }

  /** Takes the next piece and gives what may be shown now. */
  push(piece: string): string {
    const room = this.#longest - this.#length;
    const taken = piece.slice(0, room);
    if (taken.length < piece.length) this.#cut = true;
    this.#pieces.push(taken);
    this.#length += taken.length;
    this.#window += taken;
    if (this.#blocked) return '';
    const fresh = this.#window.slice(this.#passed);
    let safe = this.#hold(this.#window);
    if (this.#window.length - safe > this.#mostHeld) safe = this.#window.length;
    if (this.#watching || TARGET_SIGN.test(fresh) || /[a-z:.]$/i.test(fresh)) {
      const target = unfinishedTarget(this.#window, this.#mostHeld);
      this.#watching = target !== undefined;
      const held = target ?? this.#window.length;
      // Too long to be held: nothing more is shown, and the end of the reply decides.
      if (this.#window.length - held > this.#mostHeld) this.#blocked = true;
      safe = Math.min(safe, held);
    }
    if (/[\ud800-\udbff]$/.test(this.#window)) safe = Math.min(safe, this.#window.length - 1);
    safe = Math.max(safe, this.#passed);
    return this.#release(this.#barrier(safe));
  }

  /** Where to stop before `safe` because of a finding; blocks the gate then. */
  #barrier(safe: number): number {
    if (safe === this.#passed) return safe;
    let stop = safe;
    // A canary may end in the part that is held because another could begin there.
    for (const { span } of this.#check(this.#window, { definitionsLoad: true })) {
      if (span.end <= this.#passed || span.start >= safe) continue;
      stop = Math.min(stop, span.start);
      this.#blocked = true;
    }
    const folded = fold(this.#window.slice(this.#passed, safe));
    const split = this.#split.push(folded.text);
    if (split !== undefined) {
      this.#blocked = true;
      // The piece may have begun in text that has gone; then nothing of this part is shown.
      const start = split.end >= 4 ? (folded.starts[split.end - 4] ?? 0) : 0;
      stop = Math.min(stop, this.#passed + start);
    }
    return Math.max(stop, this.#passed);
  }

  #release(until: number): string {
    const text = this.#window.slice(this.#passed, until);
    const drop = this.#blocked ? 0 : Math.max(0, until - CONTEXT);
    this.#window = this.#window.slice(drop);
    this.#passed = until - drop;
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
    return this.#scored([...this.#check(reply), ...detections.slice(0, 1)], reply, []);
  }

  #scored(detections: readonly Detection[], reply: string, notes: readonly string[]): ScanResult {
    const score = scoreOf(detections);
    const verdict = verdictOf(score, this.#thresholds);
    return { verdict, score, detections, scope: 'output', inputLength: reply.length, notes };
  }
}
