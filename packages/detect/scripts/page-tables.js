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
 * Times of docs/results/detect/bench.json as Markdown.
 *
 * @param {{
 *   node: string, peer: string, cores: number, load_average: number[], compile_ms: number[],
 *   everyday: { name: string, texts: number, ms_per_text: number, ms_per_kb: number, ratio: number }[],
 *   worst: { shape: string, direction: string, ms_100kb: number, growth: number }[],
 *   cases: number, shapes: number, over_50_ms: number,
 *   leak: { scans: number, heap_mb_before: number, heap_mb_after: number },
 * }} bench
 */
export function speedMarkdown({
  node,
  peer,
  cores,
  load_average,
  compile_ms,
  everyday,
  worst,
  cases,
  shapes,
  over_50_ms,
  leak,
}) {
  const load = load_average.map((value) => value.toFixed(1)).join(' before and ');
  const rows = everyday.map(({ name, texts, ms_per_text, ms_per_kb, ratio }) =>
    [name, texts, ms_per_text.toFixed(3), ms_per_kb.toFixed(2), `${ratio.toFixed(1)} ×`].join(
      ' | ',
    ),
  );
  const slowest = worst[0];
  return [
    `| texts | how many | ms a text | ms a KB | times as fast as ${peer.replace('==', ' ')} |`,
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
    `- First scan, rules made ready: ${compile_ms.map((ms) => ms.toFixed(0)).join(', ')} ms in three new processes.`,
    `- Texts of 100 KB made to be slow: ${over_50_ms} of ${cases} (${shapes} shapes, four directions) take over 50 ms; the slowest, ` +
      `"${slowest?.shape}" as ${slowest?.direction}, ${slowest?.ms_100kb.toFixed(0)} ms, and ${slowest?.growth.toFixed(1)} times as long at 1 MB.`,
    `- Heap before and after ${leak.scans.toLocaleString('en-US')} scans: ${leak.heap_mb_before.toFixed(1)} and ${leak.heap_mb_after.toFixed(1)} MB.`,
    `- Node ${node}, ${cores} cores, load ${load} after.`,
    '',
  ].join('\n');
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
