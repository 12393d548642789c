/** What undoing gave the value back, outermost first. */
export const LEAK_STEPS = [
  'verbatim',
  'case',
  'separators',
  'url-encoding',
  'escapes',
  'html-entities',
  'base64',
  'base32',
  'hex',
  'reversed',
  'rot13',
  'split',
] as const;
export type LeakStep = (typeof LEAK_STEPS)[number];

/** A protected value that left. */
export interface LeakFinding {
  readonly route: 'calls' | 'urls' | 'text';
  /** The transformations, outermost first: `['url-encoding', 'base64']` is base64 that was URL-encoded. */
  readonly how: readonly LeakStep[];
  /** Where, e.g. `send_email#3/body`; several places, joined by ` + `, for a value in pieces. */
  readonly where: string;
}
