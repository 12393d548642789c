/** Editions of the OWASP Top 10 for LLM applications that a tag may name, the newest first; each has ten ids. */
const EDITIONS: readonly string[] = ['2026', '2025'];

const IDS: ReadonlySet<string> = new Set(
  EDITIONS.flatMap((year) =>
    Array.from({ length: 10 }, (_, index) => `LLM${String(index + 1).padStart(2, '0')}:${year}`),
  ),
);

/** Says what is wrong with an OWASP id and what to write; an id of one year names another risk in the next. */
export function owaspProblem(id: string): string | undefined {
  if (IDS.has(id)) return undefined;
  const known = EDITIONS.map((year) => `LLM01:${year} to LLM10:${year}`).join(' and ');
  const years = EDITIONS.map((year) => `${id}:${year}`);
  if (years.every((dated) => IDS.has(dated))) {
    return `"${id}" in tags.owasp has no year, and its meaning changes with the edition: write ${years.join(' or ')}`;
  }
  return `"${id}" in tags.owasp is no id of the OWASP Top 10 for LLM applications; there are ${known}`;
}
