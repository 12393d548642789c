import { SEVERITY_WEIGHT, type Severity } from '../types.js';
import type { ScanEvent } from './scan-event.js';

/** Severities from least to most, as other formats number them from 1. */
const ORDER: readonly Severity[] = ['informational', 'low', 'medium', 'high', 'critical'];

export function severityNumber(severity: Severity): number {
  return ORDER.indexOf(severity) + 1;
}

/** The most severe finding of an event; informational when there is none. */
export function worstSeverity(event: ScanEvent): Severity {
  let worst: Severity = 'informational';
  for (const { severity } of event.detections) {
    if (SEVERITY_WEIGHT[severity] > SEVERITY_WEIGHT[worst]) worst = severity;
  }
  return worst;
}

export function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** For people: what was scanned and what came of it. */
export function headline(event: ScanEvent): string {
  const rules = unique(event.detections.map((detection) => detection.rule_id));
  const found = rules.length === 0 ? 'nothing found' : rules.join(', ');
  return `Prompt injection scan of ${event.Direction}: ${event.verdict} (score ${event.score}): ${found}`;
}
