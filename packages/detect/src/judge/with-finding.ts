import { scoreOf, type Thresholds, verdictOf } from '../scoring.js';
import type { Detection, ScanResult } from '../types.js';

/** The result with one more finding, scored anew. */
export function withFinding(
  result: ScanResult,
  finding: Detection,
  thresholds: Thresholds,
): ScanResult {
  const detections = [...result.detections, finding];
  const score = scoreOf(detections);
  return { ...result, detections, score, verdict: verdictOf(score, thresholds) };
}

/** The result with one more word for people. */
export function withNote(result: ScanResult, note: string): ScanResult {
  return { ...result, notes: [...result.notes, note] };
}
