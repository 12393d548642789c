import { canaryFinding } from './builtin-findings.js';
import { type CanarySet, findCanary } from './canary.js';
import { checkLearned, checkNotEmpty, checkOptions, checkPack } from './check-options.js';
import { checkCanaryOptions, checkReplyOptions } from './check-output-options.js';
import { checkText, checkThresholds, record, refuse, shown } from './check-values.js';
import { frozenCopy } from './frozen-copy.js';
import { canaryDetection, linkChecker } from './output/index.js';
import { PreparedCanaries } from './prepared-canaries.js';
import { shippedRules } from './rules/builtin-rules.js';
import { RuleMatcher } from './rules/match-rules.js';
import { overrideRules, type RuleOverrides } from './rules/overrides.js';
import { asPack, type Rule, type RulePack, type RuleScope } from './rules/rule.js';
import { SharedPatterns } from './rules/shared-patterns.js';
import { scanRules } from './scan-rules.js';
import { judgeFindings, scoreOf, type Thresholds, verdictOf } from './scoring.js';
import { segmentNotes, segmentsOf } from './segments.js';
import { createScanStream, type ScanStream } from './stream/index.js';
import type { Detection, ScanResult, Scope } from './types.js';
import { decodeViews, rawSpan } from './views/index.js';

/** Gives PB-ML, or nothing below its threshold. `createClassifier` of `@pab/detect/classifier` is one. */
export interface TextClassifier {
  detect(text: string): Detection | undefined;
}

export interface ScannerOptions {
  /** Default: the rules of this package. */
  readonly rules?: RulePack | readonly Rule[];
  /** Per rule id: switched off, or with another severity or confidence. */
  readonly overrides?: RuleOverrides;
  /** Score from which a text is malicious, 0 to 100. Default 50. */
  readonly maliciousThreshold?: number;
  /** Score from which a text is suspicious, 0 to the other. Default 20. */
  readonly suspiciousThreshold?: number;
  /** Hosts, with all below them, to which a reply may carry data. */
  readonly trustedDomains?: readonly string[];
  /** False leaves only the text itself, and looks for hidden characters. Default true. */
  readonly deobfuscate?: boolean;
  /** PB-ML, on user prompts only. Default false. */
  readonly classifier?: TextClassifier | false;
}

export interface CanaryOptions {
  /**
   * Tripwires of the system prompt, see `makeCanary`. One with fewer than six letters and digits is refused with
   * DetectError `bad-option`.
   */
  readonly canaries?: readonly string[];
}

/** What a reply is compared with. */
export interface ReplyOptions extends CanaryOptions {
  /**
   * URLs that the user or a tool gave, or the texts that hold them; they may stand in the reply again. A link to leave a
   * mailing list, or one that is signed, has a token that looks like data, and only this tells that it is none.
   */
  readonly suppliedUrls?: readonly string[];
  /**
   * Values of the conversation that must not travel in a URL: those of six letters and digits or more anywhere in it, also
   * encoded, and those of three to five as a whole part of it, such as a parameter. Shorter ones are not looked for.
   */
  readonly conversationValues?: readonly string[];
}

/** What a scan found, in the shape of the `Detector` contract of `@pab/model`. */
export interface ScannerFindings {
  readonly verdict: ScanResult['verdict'];
  readonly score: number;
  readonly findings: readonly Pick<Detection, 'id' | 'title' | 'span'>[];
}

/**
 * Scans prompts, content, replies and tool descriptions. Making one costs next to nothing: rules
 * are compiled when the first text comes.
 *
 * @example
 * const scanner = new Scanner();
 * scanner.scan('Ignore all previous instructions.').verdict; // 'malicious'
 */
export class Scanner {
  readonly name = '@pab/detect';
  readonly #thresholds: Thresholds;
  readonly #overrides: RuleOverrides;
  readonly #trustedDomains: readonly string[];
  readonly #deobfuscate: boolean;
  readonly #classifier: TextClassifier | undefined;
  readonly #plainLinks: ReturnType<typeof linkChecker>;
  readonly #canaries = new PreparedCanaries();
  #pack: RulePack;
  #matchers = new Map<RuleScope, RuleMatcher>();
  #patterns = new SharedPatterns();

  /** @throws DetectError `bad-option` for any option that is unknown, of a wrong type or out of its range. */
  constructor(options: ScannerOptions = {}) {
    checkOptions(options);
    const { maliciousThreshold = 50, suspiciousThreshold = 20, overrides = {} } = options;
    const { trustedDomains = [], deobfuscate = true, classifier = false, rules } = options;
    this.#thresholds = checkThresholds(suspiciousThreshold, maliciousThreshold);
    this.#overrides = overrides;
    this.#trustedDomains = trustedDomains;
    this.#deobfuscate = deobfuscate;
    this.#classifier = classifier === false ? undefined : classifier;
    this.#plainLinks = linkChecker({ trustedDomains });
    this.#pack = frozenCopy(overrideRules(packOf(rules), overrides));
  }

  /** The rules in force, those switched off included. They are frozen. */
  get rules(): readonly Rule[] {
    return this.#pack.rules;
  }

  /**
   * Puts other rules in place; scans that are under way finish with the old ones. Overrides stay.
   *
   * @throws DetectError `bad-option` for what is no pack and no list of rules; the old rules stay then.
   */
  reload(rules: RulePack | readonly Rule[]): void {
    // Left out, it would be taken for the rules of this package.
    const given: unknown = rules;
    if (given === undefined) refuse('reload needs rules, such as builtinRules()');
    this.#pack = frozenCopy(overrideRules(packOf(rules), this.#overrides));
    this.#matchers = new Map();
    this.#patterns = new SharedPatterns();
  }

  /**
   * Scans what a user wrote.
   *
   * @throws DetectError `bad-text` for what is no string, and `bad-option` for options that are unknown or wrong, here and in
   *   the other calls.
   */
  scan(text: string, options: CanaryOptions = {}): ScanResult {
    checkText(text);
    checkCanaryOptions(options, 'scan');
    const { canaries = [] } = options;
    const extra: Detection[] = [];
    if (canaries.length > 0) {
      const set = this.#canaries.of(canaries);
      const canary = canaryFinding(text, set) ?? this.#decodedCanary(text, set);
      if (canary) extra.push(canary);
    }
    const learned = this.#classifier?.detect(text);
    if (learned) {
      checkLearned(learned);
      extra.push(learned);
    }
    return this.#scan(text, 'input', extra);
  }

  /** Scans content that the model reads: documents, mails, pages, tool results. */
  scanContext(text: string): ScanResult {
    return this.#scan(text, 'context');
  }

  /** Scans a tool's description, with the names and descriptions of its parameters. */
  scanTool(text: string): ScanResult {
    return this.#scan(text, 'tool');
  }

  /** Scans a reply of the model for leaked canaries, data in URLs and hidden characters. */
  scanOutput(text: string, options: ReplyOptions = {}): ScanResult {
    checkText(text);
    checkReplyOptions(options, 'scanOutput');
    const { canaries = [], suppliedUrls = [], conversationValues = [] } = options;
    const links =
      suppliedUrls.length + conversationValues.length > 0
        ? linkChecker({ trustedDomains: this.#trustedDomains, suppliedUrls, conversationValues })
        : this.#plainLinks;
    const set = this.#canaries.of(canaries);
    const leaked = findCanary(text, set);
    const detections = leaked === undefined ? [] : [canaryDetection(leaked, text)];
    detections.push(...links(text));
    const segments = segmentsOf(text);
    const matcher = new RuleMatcher([], []);
    for (const { detection: finding } of scanRules(text, segments, {
      matcher,
      deobfuscate: false,
    })) {
      if (finding.id === 'PB-SMUGGLE' && !has(detections, finding.id)) detections.push(finding);
    }
    if (canaries.length > 0 && !has(detections, 'PB-CANARY')) {
      const found = this.#decodedCanary(text, set);
      if (found) detections.push(found);
    }
    const score = scoreOf(detections);
    return {
      verdict: verdictOf(score, this.#thresholds),
      score,
      detections,
      scope: 'output',
      inputLength: text.length,
      notes: segmentNotes(segments),
    };
  }

  /** A stream that releases a reply only as far as it cannot become a finding any more. */
  stream(options: ReplyOptions = {}): ScanStream {
    checkReplyOptions(options, 'stream');
    return createScanStream({
      ...options,
      trustedDomains: this.#trustedDomains,
      thresholds: this.#thresholds,
      scan: (text) => this.scanOutput(text, options),
    });
  }

  /** The contract `Detector` of `@pab/model`. */
  detect(text: string, options: { readonly scope: Scope }): ScannerFindings {
    const { scope } = record(
      options,
      'the options of detect',
      "an object such as { scope: 'input' }",
    );
    const { verdict, score, detections } = this.#scanAs(text, scope as Scope);
    return {
      verdict,
      score,
      findings: detections.map(({ id, title, span }) => ({ id, title, span })),
    };
  }

  #scanAs(text: string, scope: Scope): ScanResult {
    switch (scope) {
      case 'input':
        return this.scan(text);
      case 'context':
        return this.scanContext(text);
      case 'tool':
        return this.scanTool(text);
      case 'output':
        return this.scanOutput(text);
      default:
        return refuse(
          `scope must be one of input, context, tool, output; got ${shown(scope satisfies never)}`,
        );
    }
  }

  #scan(text: string, scope: RuleScope, extra: readonly Detection[] = []): ScanResult {
    checkText(text);
    const segments = segmentsOf(text);
    const matcher = this.#matcher(scope);
    const found = scanRules(text, segments, { matcher, deobfuscate: this.#deobfuscate });
    for (const detection of extra) found.push({ detection, fullConfidence: detection.confidence });
    const { score, verdict } = judgeFindings(found, this.#thresholds, { floor: scope !== 'input' });
    return {
      verdict,
      score,
      detections: found.map(({ detection }) => detection),
      scope,
      inputLength: text.length,
      notes: segmentNotes(segments),
    };
  }

  /** A canary that only a decoded reading shows. */
  #decodedCanary(text: string, canaries: CanarySet): Detection | undefined {
    if (!this.#deobfuscate) return undefined;
    for (const segment of segmentsOf(text)) {
      const found = canaryInSegment(text, segment, canaries);
      if (found) return found;
    }
    return undefined;
  }

  #matcher(scope: RuleScope): RuleMatcher {
    let matcher = this.#matchers.get(scope);
    if (!matcher) {
      const rules = this.#pack.rules.filter((rule) => rule.enabled && rule.scope.includes(scope));
      matcher = new RuleMatcher(rules, this.#pack.filters, this.#patterns);
      this.#matchers.set(scope, matcher);
    }
    return matcher;
  }
}

function packOf(rules: RulePack | readonly Rule[] | undefined): RulePack {
  if (rules === undefined) return shippedRules();
  return checkNotEmpty(checkPack(asPack(rules)));
}

function has(detections: readonly Detection[], id: string): boolean {
  return detections.some((detection) => detection.id === id);
}

function canaryInSegment(
  text: string,
  segment: { readonly start: number; readonly end: number },
  canaries: CanarySet,
): Detection | undefined {
  for (const view of decodeViews(text.slice(segment.start, segment.end)).views) {
    if (view.name === 'original') continue;
    const found = canaryFinding(view.text, canaries);
    if (!found) continue;
    const raw = rawSpan(view, found.span.start, found.span.end);
    const span = { start: raw.start + segment.start, end: raw.end + segment.start };
    return {
      ...found,
      matched: text.slice(span.start, span.end),
      span,
      view: view.name,
      decoded: found.matched,
    };
  }
  return undefined;
}
