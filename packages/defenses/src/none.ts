import type { Defense } from '@pab/model';

/** No defense: the baseline of every comparison. */
export function none(): Defense {
  return { name: 'none', open: () => ({}) };
}
