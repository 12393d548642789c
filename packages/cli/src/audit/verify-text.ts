import { printable } from '@pab/model';
import type { VerifyReport } from './verify-run.js';

/** Where a difference is, as people look it up: file, line and byte. */
function place({
  file,
  line,
  byte,
}: {
  readonly file: string;
  readonly line?: number | undefined;
  readonly byte?: number | undefined;
}): string {
  const at = line === undefined ? file : `${file}:${line}`;
  return byte === undefined ? at : `${at} (byte ${byte})`;
}

/** A report for people; every text from the run is made printable. */
export function verifyText(report: VerifyReport): string {
  const { corpus, differences, differing } = report;
  const head = [
    `${report.run}: ${report.target} × ${report.defense}`,
    `corpus ${corpus.name} ${corpus.version} (${corpus.sha256.slice(0, 12)}), judge ${report.judge}`,
  ];
  const checks = Object.entries(report.checks).map(
    ([name, held]) =>
      `  ${name.padEnd(12)} ${held === null ? 'not checked' : held ? 'ok' : 'differs'}`,
  );
  const found = differences.map(
    (difference, index) =>
      `${index === 0 ? 'first difference' : 'then'}: ${place(difference)}: ${difference.message}`,
  );
  const more =
    differing > differences.length ? [`… and ${differing - differences.length} more`] : [];
  const verdict = report.verified
    ? `verified: ${report.trials} trials, ${report.results} tool results${report.official ? '; an official run' : ''}`
    : `NOT verified: ${differing} difference(s)`;
  return [...head, '', ...checks, '', ...found, ...more, verdict, report.scope]
    .map(printable)
    .join('\n');
}
