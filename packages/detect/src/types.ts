/** What is being scanned: a user's prompt, content that a model reads, a reply, or a tool description. */
export type Scope = 'input' | 'context' | 'output' | 'tool';

/** Sigma severities. Their weights are in {@link SEVERITY_WEIGHT}. */
export type Severity = 'informational' | 'low' | 'medium' | 'high' | 'critical';

/** Severity as percent; a detection weighs `severity / 100 × confidence`. */
export const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = {
  informational: 5,
  low: 15,
  medium: 35,
  high: 60,
  critical: 85,
};

export type Verdict = 'benign' | 'suspicious' | 'malicious';

/** Half-open range of UTF-16 code units in the text as it was given. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One decoded reading of a text. `text` is what rules look at; `map` leads back to the raw text.
 *
 * `map[i]` and `mapEnd[i]` bound the raw UTF-16 span that produced the view's UTF-16 code unit `i`,
 * so a match `[a, b)` in the view is `[map[a], mapEnd[b - 1])` in the raw text. The spans of
 * neighbouring units may be equal (a decoded base64 block maps as a whole) and need not ascend
 * (`reversed`); use `rawSpan` of views/span-map.ts, which takes the minimum and the maximum.
 */
export interface View {
  /** `original`, or decoder names joined by `+` in the order in which they were applied. */
  readonly name: string;
  readonly text: string;
  readonly map: Int32Array;
  readonly mapEnd: Int32Array;
  /** Every unit stands for itself, so that nobody needs to ask `map`. */
  readonly plain?: boolean | undefined;
  /** Every unit stands for one unit of the text, further on than the one before: `mapEnd` is one more than `map`. */
  readonly thinned?: boolean | undefined;
}

/** Something that a decoder saw, that is a finding by itself (smuggled characters, spent budget). */
export interface ViewNotice {
  readonly kind: 'smuggled-text' | 'budget-exhausted';
  /** For people: which characters, or which bound. */
  readonly detail: string;
  readonly span: Span;
  /** Text that the hidden characters spell, when they spell one. */
  readonly decoded?: string;
}

/** All readings of one text, `original` first, and what was noticed on the way. */
export interface Views {
  readonly views: readonly View[];
  readonly notices: readonly ViewNotice[];
}

export interface Tags {
  /** MITRE ATLAS technique ids, e.g. `AML.T0051.000`. */
  readonly atlas: readonly string[];
  /** OWASP LLM Top 10 ids with their year, e.g. `LLM01:2026`. */
  readonly owasp: readonly string[];
}

/** One finding. A rule is reported once, in the first view in which it fires. */
export interface Detection {
  /** Rule id (`PI-001`), or a built-in check (`PB-CANARY`, `PB-EXFIL-IMAGE`, `PB-ML` …). */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** 0 to 1. */
  readonly confidence: number;
  readonly tags: Tags;
  /** Raw text that matched, as it stands in the input; of a long match the first 200 UTF-16 code units. */
  readonly matched: string;
  readonly span: Span;
  /** View in which it was found; `original` when no decoding was needed. */
  readonly view: string;
  /** The match as a view shows it, cut in the same way; only when that is not what stands in the input. */
  readonly decoded?: string;
  /** Why confidence was lowered: the text mentions the attack rather than using it. */
  readonly mention?: string;
  /** For PB-ML: the features that weighed most, strongest first. */
  readonly terms?: readonly { readonly term: string; readonly weight: number }[];
}

export interface ScanResult {
  readonly verdict: Verdict;
  /** 0 to 100: `100 · (1 − Π(1 − weight))`, rounded half to even. */
  readonly score: number;
  readonly detections: readonly Detection[];
  readonly scope: Scope;
  /** UTF-16 code units. */
  readonly inputLength: number;
  /** Words for people about how the text was scanned, e.g. that it was cut into segments. */
  readonly notes: readonly string[];
}
