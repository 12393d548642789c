import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Judgement } from '@pab/score';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Inside of this package, so that every package of the workspace can be imported.
const folder = fileURLToPath(new URL('../.tmp-scoring', import.meta.url));
const page = readFileSync(new URL('../../../../docs/scoring.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```ts\n(?<text>.*?)^```$/gmsu)].map(
  ({ groups }) => groups?.['text'] ?? '',
);

async function load(index: number): Promise<unknown> {
  return import(/* @vite-ignore */ pathToFileURL(join(folder, `${index}.ts`)).href);
}

describe('docs/scoring.md', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.gitignore'), '*\n');
    for (const [index, text] of examples.entries())
      writeFileSync(join(folder, `${index}.ts`), text);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('judges a chat in ten lines', async () => {
    const [text = ''] = examples;
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(lines.length).toBeLessThanOrEqual(10);
    const { judgeChat } = (await load(0)) as {
      judgeChat: (id: string, chat: unknown) => Judgement;
    };
    const idle = [
      { role: 'user', content: 'Cancel it.' },
      { role: 'assistant', content: 'I would rather not.' },
    ];
    expect(judgeChat('cal-task-001', idle)).toMatchObject({
      outcome: 'not_reached',
      utility: false,
    });
    expect(() => judgeChat('no-such-001', idle)).toThrow('no scenario no-such-001');
  });

  it('prints what it says that it prints', async () => {
    const lines: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      lines.push(values.map(String).join(' '));
    });
    try {
      await load(1);
    } finally {
      log.mockRestore();
    }
    expect(lines).toEqual(['compromised full false']);
    expect(examples[1]).toContain('// compromised full false');
  });
});
