import { Readable } from 'node:stream';
import { RequestProblem } from './request-problem.js';

/** All that comes, or nothing when it is too much; what is too much is read to nowhere, so that the answer arrives. */
function collect(stream: Readable, { maxBytes, signal }: BodyOptions): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const take = (piece: Buffer) => {
      size += piece.length;
      if (size <= maxBytes) {
        pieces.push(piece);
        return;
      }
      stream.off('data', take);
      stream.resume();
      resolve(undefined);
    };
    const giveUp = () => {
      stream.off('data', take);
      stream.resume();
      reject(signal?.reason);
    };
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    stream.on('data', take);
    stream.once('end', () => resolve(Buffer.concat(pieces, size)));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('the connection closed')));
  });
}

async function bytesOf(request: Request, options: BodyOptions) {
  const { maxBytes, incoming } = options;
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > maxBytes) return undefined;
  if (incoming !== undefined) return collect(incoming, options);
  const { body } = request;
  // The two libraries' streams are the same at run time.
  return body === null ? Buffer.alloc(0) : collect(Readable.fromWeb(body as never), options);
}

export interface BodyOptions {
  readonly maxBytes: number;
  /** The request as Node has it; a test may have none. */
  readonly incoming?: Readable | undefined;
  /** Ends the wait for a body that takes too long; its reason is what the client is told. */
  readonly signal?: AbortSignal | undefined;
}

/** Kinds that clients send when nobody has said what it is, as `curl -d` does. */
const UNSAID = /^(?:text\/plain|application\/x-www-form-urlencoded) *(?:;|$)/i;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

/**
 * Whether a body may be read as JSON. A page that somebody visits can make a browser send the unsaid kinds anywhere
 * without asking, and a browser says so with one of these headers; it asks before it sends JSON.
 */
function isAsked({ headers }: Request): boolean {
  const type = headers.get('content-type');
  if (type !== null && JSON_TYPE.test(type)) return true;
  if (type !== null && !UNSAID.test(type)) return false;
  return !headers.has('origin') && !headers.has('sec-fetch-site');
}

/**
 * Reads a body of JSON, which need not be called so by what is no browser.
 *
 * @throws {RequestProblem} 413 when it is longer than `maxBytes`, the reason of the signal, 415 when it is of another kind, 400 when it breaks off
 *   or is not UTF-8
 */
export async function readBody(request: Request, options: BodyOptions): Promise<string> {
  if (!isAsked(request)) {
    throw new RequestProblem(415, 'send JSON with the header content-type: application/json');
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new RequestProblem(415, 'send the body as it is, without content-encoding');
  }
  let bytes: Uint8Array | undefined;
  try {
    bytes = await bytesOf(request, options);
  } catch (cause) {
    if (cause instanceof RequestProblem) throw cause;
    throw new RequestProblem(400, 'the body broke off', { cause });
  }
  if (bytes === undefined) {
    throw new RequestProblem(413, `the body is longer than ${options.maxBytes.toString()} bytes`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RequestProblem(400, 'the body is not UTF-8', { cause });
  }
}
