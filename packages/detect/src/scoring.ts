import {
  severity as checkSeverity,
  isRecord,
  list,
  record,
  refuse,
  shown,
} from './check-values.js';
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
  const { severity, confidence } = record(
    finding,
    'a finding',
    'an object with severity and confidence',
  );
  checkSeverity(severity, 'the severity of a finding');
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    refuse(`the confidence of a finding must be a number from 0 to 1; got ${shown(confidence)}`);
  }
  return (SEVERITY_WEIGHT[finding.severity] / 100) * finding.confidence;
}

/**
 * Joins findings as independent evidence: `100 · (1 − Π(1 − weight))`, rounded half to even, so
 * weak signals add up and no number of them passes 100.
 */
export function scoreOf(findings: readonly Pick<Detection, 'severity' | 'confidence'>[]): number {
  list(findings, 'scoreOf', 'findings');
  const rest = findings.reduce((product, finding) => product * (1 - weightOf(finding)), 1);
  return roundHalfEven(100 * (1 - rest));
}

export function verdictOf(score: number, thresholds: Thresholds): Verdict {
  const given: unknown = thresholds;
  if (typeof score !== 'number' || Number.isNaN(score) || !isRecord(given)) {
    refuse('verdictOf takes a score and an object with suspicious and malicious');
  }
  const { suspicious, malicious } = given;
  if (typeof suspicious !== 'number' || typeof malicious !== 'number') {
    refuse('the thresholds of verdictOf must be numbers, suspicious and malicious');
  }
  if (score >= thresholds.malicious) return 'malicious';
  return score >= thresholds.suspicious ? 'suspicious' : 'benign';
}

/** A detection with the confidence that it had before a mention lowered it. */
export interface Finding {
  readonly detection: Pick<Detection, 'severity' | 'confidence' | 'mention'>;
  readonly fullConfidence: number;
  /** The text both marks the words as talk and says why it does; see `Mention`. */
  readonly strongMention?: boolean;
}

/** A finding this weak does not turn mentions into a use. */
const WEAK = 0.1;

/**
 * Score and verdict of a scan. Where every finding is a mention, the score stays below malicious;
 * it also stays suspicious if it would be so without the discount, since the marks of a mention can
 * be the attacker's own. Only without `floor`, and where every mention is a strong one, may it drop
 * to benign.
 */
export function judgeFindings(
  findings: readonly Finding[],
  thresholds: Thresholds,
  { floor }: { readonly floor: boolean },
): { readonly score: number; readonly verdict: Verdict } {
  if (findings.length === 0) return { score: 0, verdict: verdictOf(0, thresholds) };
  let score = scoreOf(findings.map(({ detection }) => detection));
  const counted = findings.filter(
    ({ detection }) => detection.mention !== undefined || weightOf(detection) > WEAK,
  );
  if (counted.length > 0 && counted.every(({ detection }) => detection.mention !== undefined)) {
    score = Math.min(score, Math.max(0, thresholds.malicious - 1));
    const full = scoreOf(
      findings.map(({ detection: { severity }, fullConfidence: confidence }) => ({
        severity,
        confidence,
      })),
    );
    const held = floor || counted.some(({ strongMention }) => strongMention !== true);
    if (held && full >= thresholds.suspicious) score = Math.max(score, thresholds.suspicious);
  }
  return { score, verdict: verdictOf(score, thresholds) };
}

function roundHalfEven(value: number): number {
  // Products of decimal weights land a few ulps beside the half that they mean.
  const near = Math.round(value * 1e9) / 1e9;
  const floor = Math.floor(near);
  const part = near - floor;
  if (part !== 0.5) return part < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
