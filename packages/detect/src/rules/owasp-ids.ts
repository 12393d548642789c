/** Editions of the OWASP Top 10 for LLM applications that a tag may name, the newest first; each has ten ids. */
const EDITIONS: readonly string[] = ['2026', '2025'];

const IDS: ReadonlySet<string> = new Set(
  EDITIONS.flatMap((year) =>
    Array.from({ length: 10 }, (_, index) => `LLM${String(index + 1).padStart(2, '0')}:${year}`),
  ),
);

/** An id with its year; one without is taken for one of the newest edition. */
export function datedOwaspId(id: string): string {
  const dated = `${id}:${EDITIONS[0] ?? ''}`;
  return IDS.has(dated) ? dated : id;
}

/** Says what is wrong with an OWASP id and what to write. */
export function owaspProblem(id: string): string | undefined {
  if (IDS.has(datedOwaspId(id))) return undefined;
  const known = EDITIONS.map((year) => `LLM01:${year} to LLM10:${year}`).join(' and ');
  return `"${id}" in tags.owasp is no id of the OWASP Top 10 for LLM applications; there are ${known}`;
}
