// Writes src/views/characters-table.ts with the Unicode data of the Node that runs it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const { module } = await runnerImport(`${root}src/views/character-data.ts`);
const { kinds, lowers } = module.characterData();
const { unicode = '' } = process.versions;
writeFileSync(
  `${root}src/views/characters-table.ts`,
  `// Made by scripts/make-characters.js from Unicode ${unicode}; do not edit.

/** The edition of Unicode. */
export const UNICODE = '${unicode}';

/** Kinds of the UTF-16 units in runs: a length in base 36, and a capital for the kind and whether it belongs to a word. */
export const KINDS =
  '${kinds}';

/** Units with another lower case: gap, count, step and distance in base 36. */
export const LOWERS =
  '${lowers}';
`,
);
