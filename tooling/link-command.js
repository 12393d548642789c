// Puts `pab` into node_modules/.bin, so that `npx pab` in a clone runs the clone's own command line. A dependency of the root on @pab/cli
// would do the same, but would make every package depend on every other in the eyes of `turbo boundaries`.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../node_modules/.bin/', import.meta.url);
mkdirSync(folder, { recursive: true });
const script = new URL('pab', folder);
writeFileSync(
  script,
  "#!/usr/bin/env node\nimport('../../tooling/pab.js').catch((error) => {\n  process.stderr.write(`pab: ${error.message}\\n`);\n  process.exitCode = 2;\n});\n",
);
chmodSync(script, 0o755);
writeFileSync(new URL('pab.cmd', folder), '@node "%~dp0\\pab" %*\r\n');
