import type { HarvestManifest } from './manifest.js';

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').replace(/[|<>[\]`*_]/gu, '\\$&');
}

function table(
  head: readonly [string, string],
  rows: readonly (readonly [string, string | number])[],
): string {
  const lines = rows.map(
    ([name, value]) => `| ${plain(name)} | ${typeof value === 'number' ? value : plain(value)} |`,
  );
  return [`| ${head[0]} | ${head[1]} |`, '|---|---|', ...lines].join('\n');
}

function duplicates(manifest: HarvestManifest): string {
  if (manifest.options.dedupe === 'off') return 'Duplicates were not looked for.';
  const near = manifest.near_duplicates;
  const exact = `${manifest.duplicates} exact duplicates were left out; they are listed in \`duplicates.jsonl\`.`;
  if (near === null) return `${exact} Near duplicates were not looked for.`;
  return `${exact} ${near.rows} rows are near duplicates of an earlier one (${near.clusters} clusters, estimated Jaccard similarity of at least ${manifest.options.threshold} over runs of five characters). They are kept; rows of one cluster share \`cluster\`.`;
}

function contamination({ contamination: found }: HarvestManifest): string {
  if (found === null) return 'Not checked against other files.';
  return `Checked against ${found.against.map(plain).join(', ')}: ${found.exact} rows stand there exactly, ${found.near} nearly. They are marked \`against\`.`;
}

function redaction({ redacted }: HarvestManifest): string {
  if (redacted === null)
    return 'Credentials and personal data were not looked for; the texts may contain both.';
  const kinds = Object.entries(redacted);
  if (kinds.length === 0)
    return 'Credentials and personal data were looked for by pattern; none was found.';
  return `Masked by pattern (names and addresses in prose are not recognised): ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}.`;
}

/** A data card in Markdown: what the rows are, where they are from, what was done to them, and what to mind. */
export function dataCard(manifest: HarvestManifest): string {
  const { labels } = manifest;
  const splits = Object.entries(manifest.splits);
  const sections = [
    `# Data card: ${plain(manifest.title)}`,
    `Imported by \`pab harvest\`. Source: ${plain(manifest.source)}${manifest.url === null ? '' : ` (<${manifest.url}>)`}. Licence of the source: ${plain(manifest.licence ?? 'not known; find out before you pass the rows on')}. Revision: ${plain(manifest.revision ?? 'not stated')}.`,
    '## Counts',
    table(
      ['What', 'Rows'],
      [
        ['read', manifest.rows_read],
        ['written', manifest.rows_written],
        ['rejected', manifest.rejected],
        ['exact duplicates', manifest.duplicates],
        ['labelled texts', manifest.texts],
        ['texts: attack', labels.attack],
        ['texts: benign', labels.benign],
        ['texts: not decided by the source', labels.unknown],
        ['scenarios', manifest.scenarios],
      ],
    ),
    '## Files',
    table(
      ['File', 'SHA-256'],
      manifest.files.map(({ file, sha256 }) => [file, sha256] as const),
    ),
    '## What was done',
    duplicates(manifest),
    splits.length === 0
      ? 'The rows are not split.'
      : `Split by cluster, so that near duplicates stand in one part: ${splits.map(([name, count]) => `${name} ${count}`).join(', ')} (seed ${manifest.options.seed}).`,
    contamination(manifest),
    redaction(manifest),
    '## What to mind',
    [
      '- The texts are hostile. Do not paste them into an assistant that can act.',
      '- A label says what the source says. Where `label` is null, `reason` tells why it is not known.',
      ...(manifest.label_conflicts
        ? [`- ${manifest.label_conflicts} texts stand in the source with both labels.`]
        : []),
      ...(manifest.rejected > 0
        ? [
            `- ${manifest.rejected} rows could not be read; \`rejects.jsonl\` names each with its place and reason.`,
          ]
        : []),
      ...manifest.notes.map((note) => `- ${plain(note)}`),
    ].join('\n'),
  ];
  return `${sections.join('\n\n')}\n`;
}
