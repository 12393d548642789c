export type { Rewrite } from './rewrite.js';
export {
  NEEDED,
  REWRITES,
  type RewriteRow,
  rewriteMarkdown,
  rewriteTable,
  seededNumbers,
} from './rewrite-table.js';
export { ATTACK_SENTENCES } from './sentences.js';
