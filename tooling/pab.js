// The clone's own `pab`: builds the command line when it has not been built, then runs it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../packages/cli/dist/bin.js', import.meta.url);

if (!existsSync(built)) {
  process.stderr.write('pab: building the command line first\n');
  const { status } = spawnSync(
    'npx',
    ['turbo', 'run', 'build', '--filter=@pab/cli', '--output-logs=errors-only'],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      // Words go to stderr: stdout is for the command's data.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) throw new Error('the build failed; `npm run build` shows why');
}
await import(built.href);
