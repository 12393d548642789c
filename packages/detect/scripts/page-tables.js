// The tables of docs/detector.md that are made from code and from result files.

/** Cells of a Markdown table must not end early. */
const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|');

/**
 * The rules as a Markdown table.
 *
 * @param {readonly import('../src/rules/rule.js').Rule[]} rules
 */
export function ruleMarkdown(rules) {
  const rows = rules.map(({ id, title, severity, confidence, status, scope, tags }) =>
    [
      id,
      title,
      `${severity} × ${confidence}`,
      status,
      scope.join(', '),
      [...tags.atlas, ...tags.owasp].join(', '),
    ].map(cell),
  );
  return [
    '| id | title | severity × confidence | status | scope | tags |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n');
}

/**
 * The rows of docs/results/detect/README.md that are about rules alone.
 *
 * @param {string} page
 */
export function resultMarkdown(page) {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1));
  const shown = rows.filter(([, mode]) => ['mode', '---', 'rules'].includes(mode?.trim() ?? ''));
  return `${shown.map((row) => `|${row.toSpliced(1, 1).join('|')}|`).join('\n')}\n`;
}

/**
 * What stands between the marks `<!-- name:begin -->` and `<!-- name:end -->`.
 *
 * @param {string} page
 * @param {string} name
 */
export function sectionOf(page, name) {
  const { start, end } = boundsOf(page, name);
  return page.slice(start, end);
}

/**
 * @param {string} page
 * @param {string} name
 * @param {string} text
 */
export function withSection(page, name, text) {
  const { start, end } = boundsOf(page, name);
  return `${page.slice(0, start)}${text}${page.slice(end)}`;
}

/**
 * @param {string} page
 * @param {string} name
 */
function boundsOf(page, name) {
  const opening = `<!-- ${name}:begin -->\n\n`;
  const closing = `\n<!-- ${name}:end -->`;
  const start = page.indexOf(opening) + opening.length;
  const end = page.indexOf(closing, start);
  if (start < opening.length || end < 0) throw new Error(`the page has no section "${name}"`);
  return { start, end };
}
