// Reads rules/*.yaml and writes src/rules/pack.ts and pack-words.ts, since the library itself reads no files.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = `${root}src/rules/pack-words.ts`;
if (!existsSync(words)) {
  writeFileSync(words, `export const PACK_WORDS = '{"words":[],"groups":[],"patterns":[]}';\n`);
}
const { module } = await runnerImport(`${root}src/rules/bundle.ts`);
const files = readdirSync(`${root}rules`)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readFileSync(`${root}rules/${name}`, 'utf8') }));
writeFileSync(`${root}src/rules/pack.ts`, module.bundle(files));
writeFileSync(words, module.bundleWords(files));
