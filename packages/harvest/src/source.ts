/** Bytes with a name, which can be opened again from the start. */
export interface ByteSource {
  /** As it stands in places and manifests; never a path of the machine unless the caller gave one. */
  readonly name: string;
  /** Length in bytes where it is known. */
  readonly size: number | null;
  /** Name of the folder that it stands in, where it stands in one. */
  readonly folder?: string;
  open(): AsyncIterable<Uint8Array>;
  /** Bytes `start` to `end` (exclusive), for formats that are read from their end. */
  slice?(start: number, end: number): Promise<Uint8Array>;
  /** The file of that relative name beside this one, or null where there is none. */
  sibling?(relative: string): Promise<ByteSource | null>;
}

/** A source over bytes at hand. */
export function bytesSource(name: string, content: Uint8Array | string): ByteSource {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    name,
    size: bytes.length,
    async *open() {
      yield bytes;
    },
    slice: async (start, end) => bytes.subarray(start, end),
  };
}

/** Reads a source whole; gives null as soon as it is longer than `limit` bytes. */
export async function readWhole(source: ByteSource, limit: number): Promise<Uint8Array | null> {
  if (source.size !== null && source.size > limit) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.open()) {
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
