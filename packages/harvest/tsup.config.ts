import { library } from '@pab/tooling/tsup';
import { defineConfig } from 'tsup';

export default defineConfig({
  ...library,
  entry: ['src/index.ts', 'src/runs.ts', 'src/parquet.ts'],
});
