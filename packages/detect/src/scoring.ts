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

function roundHalfEven(value: number): number {
  // Products of decimal weights land a few ulps beside the half that they mean.
  const near = Math.round(value * 1e9) / 1e9;
  const floor = Math.floor(near);
  const part = near - floor;
  if (part !== 0.5) return part < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
