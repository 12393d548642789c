/** The first bytes of a stream, and the stream with those bytes still in it. */
export interface Peeked {
  readonly head: Uint8Array;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** Reads ahead until `enough` says so or the stream ends. `enough` sees the last chunk and the total. */
export async function peek(
  source: AsyncIterable<Uint8Array>,
  enough: (chunk: Uint8Array, total: number) => boolean,
): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let total = 0;
  let ended = false;
  for (;;) {
    const step = await iterator.next();
    if (step.done === true) {
      ended = true;
      break;
    }
    taken.push(step.value);
    total += step.value.length;
    if (enough(step.value, total)) break;
  }
  const head = concat(taken, total);
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      if (ended) return;
      for (;;) {
        const step = await iterator.next();
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { head, chunks: all() };
}

/** The stream without its first `count` bytes. */
export async function* dropBytes(
  source: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of source) {
    if (left >= chunk.length) left -= chunk.length;
    else {
      yield left === 0 ? chunk : chunk.subarray(left);
      left = 0;
    }
  }
}
