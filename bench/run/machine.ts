import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

/** What the figures were measured on: kind of machine and how busy it was. No names. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** One-minute load when the measuring began; above the number of cores, wall times mean little. */
  readonly load: number;
}

export function machine(): Machine {
  return {
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

/** Seconds of processor time of this process so far, all its threads, user and system. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Milliseconds that the main thread was on a processor, where the system tells (Linux). What a wall clock would show if nobody else
 * wanted the processor; the compiler's and collector's own threads are not in it.
 */
export function mainThreadMs(): number | undefined {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('there is no median of nothing');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));
