import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pab } from '../surroundings.js';
import { codeBlocks } from './code-blocks.js';

const readme = readFileSync(
  fileURLToPath(new URL('../../../../README.md', import.meta.url)),
  'utf8',
);

describe('the README', () => {
  it('shows what pab matrix prints', async () => {
    const [shown, ...others] = codeBlocks(readme, 'text');
    const { status, stdout } = await pab(['matrix', '--quiet']);
    expect(status).toBe(0);
    expect(others).toEqual([]);
    expect(shown?.text).toBe(stdout);
  });
});
