import { noticeFinding, SHOWN } from './builtin-findings.js';
import { LineStarts } from './line-starts.js';
import { MENTION_FACTOR, type Mention, mentionOf } from './mention.js';
import type { Lines, RuleMatcher } from './rules/match-rules.js';
import type { Rule } from './rules/rule.js';
import type { RuleMatch } from './rules/rule-match.js';
import type { Finding } from './scoring.js';
import type { Segment } from './segments.js';
import type { Detection, Span, View } from './types.js';
import { lazily } from './views/character-classes.js';
import { decodeViews, rawSpan } from './views/index.js';

/** A detection with the confidence that it had before a mention lowered it. */
export interface FoundDetection extends Finding {
  readonly detection: Detection;
}

const OBFUSCATION = 'AML.T0068';

interface Found {
  readonly match: RuleMatch;
  readonly view: View;
  readonly offset: number;
  readonly raw: Span;
}

/**
 * Runs rules over all readings of all segments of a text. A rule counts once: its first use in the
 * first reading that has one, or else its first mention.
 */
export function scanRules(
  text: string,
  segments: readonly Segment[],
  { matcher, deobfuscate }: { readonly matcher: RuleMatcher; readonly deobfuscate: boolean },
): FoundDetection[] {
  let found: Map<Rule, Found> | undefined;
  let notices: Map<string, Detection> | undefined;
  for (const segment of segments) {
    const whole = segments.length === 1;
    const part = whole ? text : text.slice(segment.start, segment.end);
    const decoded = decodeViews(part, { deobfuscate });
    const starts = part.includes('\n') ? lazily(() => new LineStarts(part)) : undefined;
    for (const view of decoded.views)
      found = scanView(view, part, segment.start, matcher, found, starts);
    for (const notice of decoded.notices) {
      const finding = noticeFinding(notice, text, segment.start);
      notices ??= new Map();
      if (!notices.has(finding.id)) notices.set(finding.id, finding);
    }
  }
  // Most texts have nothing.
  const detections: FoundDetection[] = [];
  if (found !== undefined) {
    for (const rule of matcher.rules) {
      const hit = found.get(rule);
      if (hit) detections.push(foundOf(rule, hit, text));
    }
  }
  if (notices !== undefined) {
    for (const detection of notices.values())
      detections.push({ detection, fullConfidence: detection.confidence });
  }
  return detections;
}

/** A line break before a capital letter or a mark that begins a line, or a blank line. */
const PARTED = /\n[^\S\n]*(?:\n|\p{Lu}|[#>*|-])/u;

/** Where the lines of the text begin in a view, in which they are joined. */
function linesOf(view: View, part: string, starts: () => LineStarts): Lines {
  return {
    part: ({ start, end }) => {
      const raw = rawSpan(view, start, end);
      return PARTED.test(part.slice(raw.start, raw.end));
    },
    startAt: (at) => starts().has(view.plain === true ? at : (view.map[at] ?? -1)),
  };
}

const NOTHING_DONE: ReadonlySet<string> = new Set();

/** Adds to what was found in the views before. */
function scanView(
  view: View,
  part: string,
  offset: number,
  matcher: RuleMatcher,
  before: Map<Rule, Found> | undefined,
  starts: (() => LineStarts) | undefined,
): Map<Rule, Found> | undefined {
  if (matcher.rules.length === 0) return before;
  const done = before === undefined ? NOTHING_DONE : doneOf(before);
  const lines = starts ? linesOf(view, part, starts) : undefined;
  const matches = matcher.match(view.text, mentionOf, done, lines);
  if (matches.size === 0) return before;
  const found = before ?? new Map<Rule, Found>();
  for (const [rule, match] of matches) {
    const local = rawSpan(view, match.start, match.end);
    const raw = { start: local.start + offset, end: local.end + offset };
    const earlier = found.get(rule);
    // A reading that lost the quotation marks is no use of what was quoted.
    const sameWords = earlier && raw.start < earlier.raw.end && earlier.raw.start < raw.end;
    if (!earlier || (match.mention === undefined && !sameWords)) {
      found.set(rule, { match, view, offset, raw });
    }
  }
  return found;
}

/** Rules that have a use; a mention is still looked at in other readings. */
function doneOf(found: ReadonlyMap<Rule, Found>): ReadonlySet<string> {
  const done = new Set<string>();
  for (const [rule, { match }] of found) if (match.mention === undefined) done.add(rule.id);
  return done;
}

function foundOf(rule: Rule, hit: Found, text: string): FoundDetection {
  const detection = detectionOf(rule, hit, text);
  const strongMention = hit.match.mention?.strong === true;
  return { detection, fullConfidence: rule.confidence, strongMention };
}

function detectionOf(rule: Rule, { match, view, raw }: Found, text: string): Detection {
  const original = view.name === 'original';
  // Lists of its own, so that whoever changes a result changes no rule.
  const atlas = [...rule.tags.atlas];
  if (!original && !atlas.includes(OBFUSCATION)) atlas.push(OBFUSCATION);
  return {
    id: rule.id,
    title: rule.title,
    severity: rule.severity,
    confidence: lowered(rule.confidence, match.mention),
    tags: { atlas, owasp: [...rule.tags.owasp] },
    matched: text.slice(raw.start, Math.min(raw.end, raw.start + SHOWN)),
    span: raw,
    view: view.name,
    ...(original
      ? {}
      : { decoded: view.text.slice(match.start, Math.min(match.end, match.start + SHOWN)) }),
    ...(match.mention === undefined ? {} : { mention: match.mention.reason }),
  };
}

function lowered(confidence: number, mention: Mention | undefined): number {
  if (!mention) return confidence;
  return confidence * (mention.strong ? MENTION_FACTOR.strong : MENTION_FACTOR.weak);
}
