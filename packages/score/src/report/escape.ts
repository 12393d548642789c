/** What XML 1.0 has no place for, escaped or not, as two UTF-16 classes: controls and half surrogate pairs. */
const NO_XML =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for XML and HTML, between tags and in quoted attributes alike. Hostile text stays text. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(NO_XML, '\uFFFD').replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Text for a cell of a Markdown table: one line, and no sign that Markdown or HTML would take for its own. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]|~]/g, (sign) => `\\${sign}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(NO_XML, '\uFFFD');
}

/** At most so many characters of a text, with a mark where it was cut; never half a pair of surrogates. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}
