import type { ReadItem, ReadOptions } from '../src/index.js';
import { bytesSource, describePlace, readRows } from '../src/index.js';

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export function read(
  name: string,
  content: string | Uint8Array,
  options?: ReadOptions,
): Promise<ReadItem[]> {
  return collect(readRows(bytesSource(name, content), options));
}

export function rowsOf(items: readonly ReadItem[]): unknown[] {
  return items.flatMap((item) => (item.kind === 'row' ? [item.value] : []));
}

/** `place: reason` of every reject. */
export function rejectsOf(items: readonly ReadItem[]): string[] {
  return items.flatMap((item) =>
    item.kind === 'reject' ? [`${describePlace(item.place)}: ${item.reason}`] : [],
  );
}
