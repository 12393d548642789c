import { type Detection, SEVERITY_WEIGHT, type Severity, type Verdict } from './types.js';

/** From which score a text is suspicious, and from which malicious; 0 to 100. */
export interface Thresholds {
  readonly suspicious: number;
  readonly malicious: number;
}

/** What one finding adds, 0 to 1: severity / 100 × confidence. */
export function weightOf(finding: {
  readonly severity: Severity;
  readonly confidence: number;
}): number {
  return (SEVERITY_WEIGHT[finding.severity] / 100) * finding.confidence;
}

/**
 * Joins findings as independent evidence: `100 · (1 − Π(1 − weight))`, rounded half to even, so
 * weak signals add up and no number of them passes 100.
 */
export function scoreOf(findings: readonly Pick<Detection, 'severity' | 'confidence'>[]): number {
  const rest = findings.reduce((product, finding) => product * (1 - weightOf(finding)), 1);
  return roundHalfEven(100 * (1 - rest));
}

export function verdictOf(score: number, thresholds: Thresholds): Verdict {
  if (score >= thresholds.malicious) return 'malicious';
  return score >= thresholds.suspicious ? 'suspicious' : 'benign';
}

/**
 * Score and verdict of a scan. Where every finding is a mention, the score stays below malicious;
 * in content that a model reads it also stays suspicious if it would be so without the discount,
 * since the marks of a mention can be the attacker's own.
 */
export function judge(
  findings: readonly Finding[],
  thresholds: Thresholds,
  { floor }: { readonly floor: boolean },
): { readonly score: number; readonly verdict: Verdict } {
  let score = scoreOf(findings);
  const real = findings.filter(
    (finding) => weightOf(finding) > 0.1 || finding.mention !== undefined,
  );
  if (real.length > 0 && real.every((finding) => finding.mention !== undefined)) {
    score = Math.min(score, Math.max(0, thresholds.malicious - 1));
    const full = scoreOf(
      findings.map((finding) => ({ ...finding, confidence: finding.fullConfidence })),
    );
    if (floor && full >= thresholds.suspicious) score = Math.max(score, thresholds.suspicious);
  }
  return { score, verdict: verdictOf(score, thresholds) };
}

/** A detection with the confidence that it had before a mention lowered it. */
export interface Finding extends Pick<Detection, 'severity' | 'confidence' | 'mention'> {
  readonly fullConfidence: number;
}

function roundHalfEven(value: number): number {
  // Products of decimal weights land a few ulps beside the half that they mean.
  const near = Math.round(value * 1e9) / 1e9;
  const floor = Math.floor(near);
  const part = near - floor;
  if (part !== 0.5) return part < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
