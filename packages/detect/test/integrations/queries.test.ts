import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toEcs, toEvent } from '../../src/events/index.js';
import type { ScanResult } from '../../src/types.js';

const folder = fileURLToPath(new URL('../../../../integrations/', import.meta.url));

const result: ScanResult = {
  verdict: 'malicious',
  score: 54,
  detections: [
    {
      id: 'PI-001',
      title: 'Override',
      severity: 'high',
      confidence: 0.9,
      tags: { atlas: ['AML.T0051.000'], owasp: ['LLM01:2026'] },
      matched: 'x',
      span: { start: 0, end: 1 },
      view: 'original',
    },
  ],
  scope: 'input',
  inputLength: 1,
  notes: [],
};
/** An event with every field that an event can have. */
const event = toEvent(result, {
  text: 'x',
  time: new Date(0),
  source: 'app',
  scannerVersion: '1',
  rulesetSize: 1,
  user: 'u',
  sessionId: 's',
  contentType: 't',
  contentId: 'c',
  includeInput: true,
});

/** Names of all leaves, and of what leads to them, with dots. */
function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    pathsOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

const eventFields = Object.keys(event);
const findingFields = Object.keys(event.detections[0] ?? {});

interface Language {
  readonly files: readonly string[];
  readonly fields: readonly string[];
  readonly words: string;
  /** Finds the names that a query gives to values of its own. */
  readonly own: RegExp;
}

function filesIn(path: string): string[] {
  return readdirSync(folder + path).map((name) => `${path}/${name}`);
}

const languages: Readonly<Record<string, Language>> = {
  KQL: {
    files: [...filesIn('sentinel/analytics'), ...filesIn('sentinel/hunting')],
    fields: [
      ...eventFields,
      ...findingFields.map((field) => `detection.${field}`),
      'PromptInjection_CL',
    ],
    words:
      'where ago in mv-expand mv expand todynamic tostring extend summarize dcount count by sort desc asc project isnotempty let join kind inner on between min max make_set startswith or bin arg_max typeof to string strcat h d',
    own: /\b(\w+) = /g,
  },
  SPL: {
    files: ['splunk/savedsearches.conf'],
    fields: [...eventFields, ...findingFields.map((field) => `detections{}.${field}`), '_time'],
    words:
      'sourcetype IN OR AND search spath path input output mvexpand eval stats dc count as by where sort dedup table min max bin span d null if last streamstats atlas{} detections{} TimeGenerated.input_sha256 rule_id view atlas',
    own: /(?:\bas |\boutput=|\beval )(\w+)/g,
  },
  'ES|QL': {
    files: filesIn('elastic'),
    fields: pathsOf(toEcs(event), ''),
    words:
      'FROM WHERE NOW hours IN STATS COUNT COUNT_DISTINCT BY SORT DESC ASC MV_EXPAND OR AND STARTS_WITH KEEP EVAL DATE_TRUNC day IS NOT NULL CASE MV_CONCAT LIKE MIN MAX logs-pab.scan-',
    own: /\b(\w+) = /g,
  },
};

/** The query in a file, with no comments, texts or settings around it. */
function queriesIn(file: string): string {
  const text = readFileSync(folder + file, 'utf8');
  const query = file.endsWith('.conf')
    ? [...text.matchAll(/^search = ((?:.*\\\n)*.*)$/gm)].map((match) => match[1]).join('\n')
    : text.replace(/^[\s\S]*\nquery: \|\n/, '');
  return query
    .replaceAll(/^\s*(?:\/\/|#).*$/gm, '')
    .replaceAll(/(?<=[\s(=])"(?!detections\{)[^"]*"/g, '""');
}

function unknownNames(query: string, { fields, words, own }: Language): string[] {
  const known = new Set([...fields, ...words.split(' ')]);
  for (const match of query.matchAll(own)) known.add(match[1] ?? '');
  const names = query.match(/@?[A-Za-z_][\w-]*(?:\{\})?(?:\.[\w]+(?:\{\})?)*-?/g) ?? [];
  return names.filter((name) => !known.has(name) && !known.has(name.replace(/-$/, '')));
}

/** Findings that no rule file names: the table of checks in the documentation. */
const checks = [
  ...readFileSync(`${folder}../docs/detector.md`, 'utf8').matchAll(/^\| (PB-[A-Z-]+) \| \w+ × /gm),
].map((match) => match[1] ?? '');

describe('content for a SIEM', () => {
  it('knows the checks that there are', () => {
    expect(checks).toContain('PB-CREDENTIALS');
    expect(checks).toContain('PB-DRAWING');
  });

  it('is what its one source makes', () => {
    const run = () =>
      execFileSync(process.execPath, [`${folder}generate.js`, '--check'], { encoding: 'utf8' });
    expect(run()).toBe('');
  });

  describe.each(Object.entries(languages))('in %s', (_name, language) => {
    it.each(language.files)('names only fields that the event has: %s', (file) => {
      const query = queriesIn(file);
      expect(query).toMatch(/verdict|rule|Direction|view/);
      expect(unknownNames(query, language)).toEqual([]);
    });

    it.each(checks)('has a query that asks for %s', (id) => {
      const asked = language.files.map((file) => readFileSync(folder + file, 'utf8')).join('\n');
      const family = /^PB-EXFIL-/.exec(id)?.[0];
      expect(asked).toContain(`"${family ?? id}`);
    });

    it('is noticed when it names another', () => {
      expect(unknownNames('| where verdikt == "malicious"', language)).toContain('verdikt');
    });
  });
});
