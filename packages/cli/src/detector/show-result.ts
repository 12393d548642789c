import type { Detection, ScanResult } from '@pab/detect';
import { printable } from '@pab/model';

/** UTF-16 units of text shown in a line for people. */
const PREVIEW = 70;

function preview(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const cut = line.length > PREVIEW ? `${line.slice(0, PREVIEW - 1)}…` : line;
  // A lone half of a surrogate pair cannot be written as UTF-8.
  return `'${printable(cut.replaceAll(/\p{Cs}/gu, '\ufffd'))}'`;
}

function detectionLines(detection: Detection): string[] {
  const { id, severity, title, tags, matched, view, decoded, mention, terms } = detection;
  const named = [...tags.atlas, ...tags.owasp].join(', ');
  const lines = [`  - ${id} [${severity}] ${printable(title)}${named === '' ? '' : ` (${named})`}`];
  if (terms === undefined) lines.push(`      matched: ${preview(matched)}`);
  else {
    const probability = detection.confidence.toFixed(3);
    const shown = terms.map(
      ({ term, weight }) => `${printable(term.trim())} (+${weight.toFixed(2)})`,
    );
    lines.push(`      probability ${probability}; top terms: ${shown.join(', ')}`);
  }
  if (view !== 'original') lines.push(`      via ${view}: ${preview(decoded ?? '')}`);
  if (mention !== undefined) lines.push(`      mention: ${printable(mention)}`);
  return lines;
}

const RESET = '\u001b[0m';
const COLORS = { malicious: '\u001b[31m', suspicious: '\u001b[33m', benign: '\u001b[32m' } as const;

/** A result in lines for people: `VERDICT  score=N  'preview'`, then each finding. */
export function showResult(result: ScanResult, text: string, color: boolean): string {
  const { verdict, score, detections, notes } = result;
  const word = verdict.toUpperCase();
  const head = color ? `${COLORS[verdict]}${word}${RESET}` : word;
  return [
    `${head}  score=${score}  ${preview(text)}`,
    ...detections.flatMap(detectionLines),
    ...notes.map((note) => `  note: ${printable(note)}`),
    '',
  ].join('\n');
}
