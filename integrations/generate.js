// Writes the content for Sentinel, Splunk and Elastic from queries.js: `node integrations/generate.js`.
// With --check it writes nothing and exits with 1 when a file is not what it would write.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { queries } from './queries.js';
import { esql, kql, spl } from './render.js';

/** @typedef {import('./queries.js').Query} Query */

const NOTE = 'Made by integrations/generate.js from integrations/queries.js.';

/** A GUID that stays the same as long as the id does. @param {string} id */
function guid(id) {
  const hex = createHash('sha256').update(`pab/${id}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** @param {string} text @param {string} space */
function indent(text, space) {
  return text.replaceAll(/^(?=.)/gm, space);
}

/** An analytics rule in the YAML form of the Sentinel repository. @param {Query} query */
function sentinelRule(query) {
  return `# ${NOTE}
id: ${guid(query.id)}
name: "${query.title}"
description: "${query.description}"
severity: ${query.severity}
status: Available
kind: Scheduled
version: 1.0.0
requiredDataConnectors: []
queryFrequency: 1h
queryPeriod: ${query.hours}h
triggerOperator: gt
triggerThreshold: 0
query: |
${indent(kql(query), '  ')}
`;
}

/** @param {Query} query */
function splunkStanza(query) {
  const search = spl(query).replaceAll('\n', ' \\\n');
  const alert =
    query.kind === 'alert'
      ? 'enableSched = 0\ncron_schedule = 5 * * * *\ncounttype = number of events\nrelation = greater than\nquantity = 0\n'
      : '';
  return `[PAB - ${query.title}]
description = ${query.description}
dispatch.earliest_time = -${query.hours}h
dispatch.latest_time = now
${alert}search = ${search}
`;
}

/** @returns {Map<string, string>} */
function contents() {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const query of queries) {
    const { id, kind, title, description } = query;
    if (kind === 'alert') files.set(`sentinel/analytics/${id}.yaml`, sentinelRule(query));
    else
      files.set(
        `sentinel/hunting/${id}.kql`,
        `// ${NOTE}\n// ${title}\n// ${description}\n${kql(query)}\n`,
      );
    files.set(`elastic/${id}.esql`, `// ${NOTE}\n// ${title}\n// ${description}\n${esql(query)}\n`);
  }
  files.set('splunk/savedsearches.conf', `# ${NOTE}\n\n${queries.map(splunkStanza).join('\n')}`);
  return files;
}

const check = process.argv.includes('--check');
for (const [name, text] of contents()) {
  const file = fileURLToPath(new URL(name, import.meta.url));
  if (!check) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    continue;
  }
  let present = '';
  try {
    present = readFileSync(file, 'utf8');
  } catch {
    // A missing file differs from what it should be.
  }
  if (present !== text) {
    process.stderr.write(`integrations/${name} is stale; run: node integrations/generate.js\n`);
    process.exitCode = 1;
  }
}
