/** What may not be published: credentials and data about persons. */
export type SensitiveKind =
  | 'api-key'
  | 'card'
  | 'email'
  | 'iban'
  | 'ip-address'
  | 'phone'
  | 'private-key'
  | 'token';

interface Pattern {
  readonly kind: SensitiveKind;
  readonly pattern: RegExp;
  readonly accept?: (found: string) => boolean;
}

function digitsOf(text: string): string {
  return text.replace(/\D/gu, '');
}

function passesLuhn(text: string): boolean {
  const digits = digitsOf(text);
  if (digits.length < 13 || digits.length > 19) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function passesIban(text: string): boolean {
  const compact = text.replace(/ /gu, '').toUpperCase();
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const char of compact.slice(4) + compact.slice(0, 4)) {
    for (const digit of /\d/u.test(char) ? char : String(char.charCodeAt(0) - 55)) {
      rest = (rest * 10 + Number(digit)) % 97;
    }
  }
  return rest === 1;
}

// Every repetition is bounded and starts at a boundary, so time is linear in the text.
const PATTERNS: readonly Pattern[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----[A-Za-z0-9+/=\s]{0,8192}(?:-----END [A-Z ]{0,24}PRIVATE KEY-----)?/gu,
  },
  {
    kind: 'api-key',
    pattern:
      /\b(?:sk-(?:[a-z]{2,10}-)?[A-Za-z0-9_-]{16,200}|AKIA[0-9A-Z]{16}|gh[opsur]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{40,255}|xox[abprs]-[A-Za-z0-9-]{10,200}|AIza[0-9A-Za-z_-]{35}|hf_[A-Za-z0-9]{30,60}|glpat-[A-Za-z0-9_-]{20,60}|npm_[A-Za-z0-9]{36})\b/gu,
  },
  {
    kind: 'token',
    pattern: /\beyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}/gu,
  },
  {
    kind: 'email',
    pattern: /(?<![\w.+-])[\w+-][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b/gu,
  },
  {
    kind: 'iban',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/gu,
    accept: passesIban,
  },
  { kind: 'card', pattern: /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/gu, accept: passesLuhn },
  {
    kind: 'ip-address',
    pattern:
      /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/gu,
    accept: (found) => !/^(?:127\.|0\.|10\.|192\.168\.|169\.254\.)/u.test(found),
  },
  {
    kind: 'phone',
    pattern:
      /(?<![\w+]|\d[ .-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,4}[ .-])\d{3,4}[ .-]?\d{3,4}(?![\w-]|[ .-]\d)/gu,
    accept: (found) => digitsOf(found).length >= 9 && digitsOf(found).length <= 15,
  },
];

export interface Redaction {
  readonly text: string;
  readonly found: ReadonlyMap<SensitiveKind, number>;
}

/** Masks credentials and personal data as `[email]`, `[api-key]` and so on, and counts them. */
export function redact(text: string): Redaction {
  const found = new Map<SensitiveKind, number>();
  let masked = text;
  for (const { kind, pattern, accept } of PATTERNS) {
    masked = masked.replace(pattern, (piece) => {
      if (accept !== undefined && !accept(piece)) return piece;
      found.set(kind, (found.get(kind) ?? 0) + 1);
      return `[${kind}]`;
    });
  }
  return { text: masked, found };
}
