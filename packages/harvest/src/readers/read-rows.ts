import { DEFAULT_LIMITS, type ReadLimits } from '../limits.js';
import { type ReadItem, reject } from '../row.js';
import { type ByteSource, bytesSource, readWhole } from '../source.js';
import {
  ContainerProblem,
  gunzip,
  type Member,
  type RefusedMember,
  tarMembers,
  zipMembers,
} from './archives.js';
import { type CsvOptions, readCsv } from './csv.js';
import { decodeText, sniffEncoding } from './decode-text.js';
import { readJsonArray, readJsonEntries, readJsonValue } from './json-document.js';
import { readJsonLines } from './json-lines.js';
import { dropBytes, type Peeked, peek } from './peek.js';
import {
  type Format,
  isDataName,
  isParquet,
  sniffContainer,
  sniffTextFormat,
} from './sniff-format.js';
import { splitLines } from './split-lines.js';
import { readTextList } from './text-list.js';
import { readYaml } from './yaml.js';

/** Reads a Parquet file; `parquetReader` of `@pab/harvest/parquet` is one. */
export type ParquetReader = (source: ByteSource) => AsyncIterable<ReadItem>;

export interface ReadOptions extends CsvOptions {
  /** Left out: told from the content, and from the name where content does not say. */
  readonly format?: Format;
  /** Gives a JSON object at the top entry by entry (`{ key, value }`) instead of as one row. */
  readonly entries?: boolean;
  readonly parquet?: ParquetReader;
  readonly limits?: Partial<ReadLimits>;
  /** Told of members of archives that are not data. */
  readonly onSkip?: (name: string) => void;
}

interface Context {
  readonly options: ReadOptions;
  readonly limits: ReadLimits;
  /** The source itself, where the stream is its plain bytes. */
  readonly source: ByteSource | null;
  readonly depth: number;
}

const SNIFF_MIN = 64 * 1024;
const SNIFF_MAX = 8 * 1024 * 1024;

function sniffEnough(): (chunk: Uint8Array, total: number) => boolean {
  let newline = false;
  return (chunk, total) => {
    newline ||= chunk.includes(10);
    // Whether a long first line is a row or the document shows at its end.
    return total >= SNIFF_MAX || (total >= SNIFF_MIN && newline);
  };
}

async function wholeText(chunks: AsyncIterable<string>, limit: number): Promise<string | null> {
  const pieces: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) return null;
    pieces.push(chunk);
  }
  return pieces.join('');
}

async function readText(source: ByteSource, limit: number): Promise<string | null> {
  const bytes = await readWhole(source, limit);
  if (bytes === null) return null;
  const { encoding, markLength } = sniffEncoding(bytes);
  return wholeText(decodeText(bytesSource('', bytes.subarray(markLength)).open(), encoding), limit);
}

/** A document of one line looks like JSON Lines with one row; its name tells. */
function isOneObject(head: string, name: string): boolean {
  return !/\.(?:jsonl|ndjson)$/iu.test(name) && /^\s*\{[^\n]*\n?\s*$/u.test(head);
}

async function* readTextual(
  name: string,
  peeked: Peeked,
  context: Context,
): AsyncGenerator<ReadItem> {
  const { options, limits } = context;
  if (options.format === undefined && /\.toml$/iu.test(name)) {
    yield reject({ file: name }, 'TOML is not read; make JSON, YAML or CSV of it');
    return;
  }
  const { encoding, markLength } = sniffEncoding(peeked.head);
  const text = decodeText(dropBytes(peeked.chunks, markLength), encoding);
  const headBytes = peeked.head.subarray(markLength);
  let head = '';
  for await (const piece of decodeText(bytesSource('', headBytes).open(), encoding)) head += piece;
  const format = options.format ?? sniffTextFormat(head, name);
  switch (format) {
    case 'jsonl':
      if (options.entries === true && isOneObject(head, name)) {
        yield* readJsonEntries(name, text, limits.row);
        return;
      }
      yield* readJsonLines(name, splitLines(text, limits.row, { blank: false }));
      return;
    case 'json': {
      const first = /^\s*(.)/u.exec(head)?.[1];
      if (first === '[') yield* readJsonArray(name, text, limits.row);
      else if (first === '{' && options.entries === true) {
        yield* readJsonEntries(name, text, limits.row);
      } else yield* readJsonValue(name, text, limits.document);
      return;
    }
    case 'csv':
      yield* readCsv(name, head.slice(0, SNIFF_MIN), splitLines(text, limits.row), options);
      return;
    case 'yaml': {
      const whole = await wholeText(text, limits.document);
      if (whole === null) {
        yield reject({ file: name }, `document is longer than ${limits.document} characters`);
        return;
      }
      yield* readYaml(name, whole, async (relative) => {
        const file = (await context.source?.sibling?.(relative)) ?? null;
        return file === null ? null : readText(file, limits.document);
      });
      return;
    }
    case 'text':
      yield* readTextList(name, splitLines(text, limits.row, { blank: false }));
      return;
    case 'parquet':
      yield reject({ file: name }, 'not a Parquet file: it does not begin with PAR1');
      return;
    default:
      format satisfies never;
  }
}

/** A source that can be read at any place: the file itself, or its bytes held in memory. */
async function randomAccess(
  name: string,
  peeked: Peeked,
  context: Context,
): Promise<ByteSource | null> {
  if (context.source?.slice !== undefined && context.source.size !== null) return context.source;
  const stream: ByteSource = { name, size: null, open: () => peeked.chunks };
  const bytes = await readWhole(stream, context.limits.document);
  return bytes === null ? null : bytesSource(name, bytes);
}

async function* readMembers(
  name: string,
  members: AsyncIterable<Member | RefusedMember>,
  context: Context,
): AsyncGenerator<ReadItem> {
  for await (const member of members) {
    const full = `${name}!${member.name}`;
    if ('refused' in member) yield reject({ file: full }, member.refused);
    else if (isDataName(member.name)) yield* readStream(full, member.chunks, context);
    else context.options.onSkip?.(full);
  }
}

async function* readContainer(
  name: string,
  peeked: Peeked,
  context: Context,
): AsyncGenerator<ReadItem> {
  const inner: Context = { ...context, source: null, depth: context.depth + 1 };
  const kind = sniffContainer(peeked.head);
  if (inner.depth > context.limits.nesting) {
    yield reject({ file: name }, `containers nested deeper than ${context.limits.nesting}`);
  } else if (kind === 'gzip') {
    const plain = name.replace(/\.gz$/iu, '').replace(/\.tgz$/iu, '.tar');
    yield* readStream(plain, gunzip(peeked.chunks, context.limits), inner);
  } else if (kind === 'tar') {
    yield* readMembers(name, tarMembers(peeked.chunks, context.limits), inner);
  } else {
    const file = await randomAccess(name, peeked, context);
    const bytes = file === null ? null : await readWhole(file, context.limits.document);
    if (bytes === null) {
      yield reject({ file: name }, `zip is larger than ${context.limits.document} bytes`);
    } else yield* readMembers(name, zipMembers(bytes, context.limits), inner);
  }
}

async function* readStream(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  context: Context,
): AsyncGenerator<ReadItem> {
  try {
    const peeked = await peek(chunks, sniffEnough());
    if (peeked.head.length === 0) {
      yield reject({ file: name }, 'the file is empty');
    } else if (sniffContainer(peeked.head) !== null) {
      yield* readContainer(name, peeked, context);
    } else if (!isParquet(peeked.head)) {
      yield* readTextual(name, peeked, context);
    } else if (context.options.parquet === undefined) {
      yield reject({ file: name }, 'a Parquet file, and no Parquet reader was given');
    } else {
      const file = await randomAccess(name, peeked, context);
      if (file === null) yield reject({ file: name }, 'Parquet file is too large to hold');
      else yield* context.options.parquet(file);
    }
  } catch (error) {
    // What cannot be unpacked is a fault of the input: the other files are still read.
    if (!(error instanceof ContainerProblem)) throw error;
    yield reject({ file: name }, error.message);
  }
}

/**
 * Reads a file of any known format and container into rows, in order, holding one at a time. What cannot be
 * read comes as a `reject` with its place and reason. Throws only where the source itself cannot be opened.
 */
export function readRows(source: ByteSource, options: ReadOptions = {}): AsyncGenerator<ReadItem> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return readStream(source.name, source.open(), { options, limits, source, depth: 0 });
}
