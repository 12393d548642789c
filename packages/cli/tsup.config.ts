import { library } from '@pab/tooling/tsup';
import { defineConfig } from 'tsup';

export default defineConfig({
  ...library,
  entry: ['src/index.ts', 'src/run/index.ts', 'src/bin.ts'],
});
