import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { targets } from '@pab/adapters';
import { defenses } from '@pab/defenses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pab } from '../surroundings.js';
import { codeBlocks, promisedOutput } from './code-blocks.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const pages = [
  'README.md',
  'docs/detector.md',
  'docs/scenarios.md',
  'docs/measurement.md',
  'docs/harvest.md',
  'docs/scoring.md',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
].filter((page) => existsSync(join(root, page)));

const examples = pages.flatMap((page) =>
  codeBlocks(readFileSync(join(root, page), 'utf8'), 'ts').map(({ text, line }) => ({
    where: `${page}, line ${line}`,
    text,
    file: `${page.replaceAll(/[^a-zA-Z]+/g, '-')}-${line}.ts`,
  })),
);

function typeErrors(folder: string): string {
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  return stdout + stderr;
}

describe('the examples in the pages', () => {
  let folder = '';
  beforeAll(() => {
    // Inside of this package, so that every package of the workspace can be imported.
    folder = mkdtempSync(fileURLToPath(new URL('../.tmp-docs-', import.meta.url)));
    writeFileSync(join(folder, '.gitignore'), '*\n');
    const settings = { extends: '@pab/tooling/tsconfig.json', include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    for (const { file, text } of examples) writeFileSync(join(folder, file), text);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are many', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  it('pass the type checker', () => {
    expect(typeErrors(folder)).toBe('');
  });

  it.each(examples)('run and print what they say: $where', async ({ file, text }) => {
    const lines: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      lines.push(...values.map(String).join(' ').trimEnd().split('\n'));
    });
    try {
      await import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href);
    } finally {
      log.mockRestore();
    }
    expect(lines).toEqual(promisedOutput(text));
  });
});

describe('the README of a package', () => {
  const read = (name: string) => readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');

  it('is there, and has an example, for every package', () => {
    for (const name of readdirSync(join(root, 'packages'))) {
      expect(codeBlocks(read(name), 'ts').length, name).toBeGreaterThan(0);
    }
  });

  it('names every command', async () => {
    const { stdout } = await pab(['--help']);
    const commands = [...stdout.matchAll(/^ {2}pab ([a-z-]+)/gm)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(15);
    const page = read('cli');
    expect(commands.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every defense and every target', () => {
    const missing = (names: object, page: string) =>
      Object.keys(names).filter((name) => !page.includes(`\`${name}\``));
    expect(missing(defenses, read('defenses'))).toEqual([]);
    expect(missing(targets, read('adapters'))).toEqual([]);
  });
});
