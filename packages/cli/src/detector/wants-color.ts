import type { Io } from '../io.js';

/** Colours only on a terminal, and not where `NO_COLOR` (no-color.org) or `--no-color` says no. */
export function wantsColor({ stdout, env }: Io, flag: boolean | undefined): boolean {
  return (flag ?? true) && stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '';
}
