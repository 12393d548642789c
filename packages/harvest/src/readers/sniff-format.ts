import { isConflictMarker } from './json-lines.js';

export type Container = 'gzip' | 'zip' | 'tar';
export type Format = 'json' | 'jsonl' | 'csv' | 'yaml' | 'text' | 'parquet';

function startsWith(head: Uint8Array, bytes: readonly number[], at = 0): boolean {
  return bytes.every((byte, index) => head[at + index] === byte);
}

const TAR_MAGIC = [0x75, 0x73, 0x74, 0x61, 0x72];

export function sniffContainer(head: Uint8Array): Container | null {
  if (startsWith(head, [0x1f, 0x8b, 0x08])) return 'gzip';
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || startsWith(head, [0x50, 0x4b, 0x05, 0x06])) {
    return 'zip';
  }
  return head.length >= 512 && startsWith(head, TAR_MAGIC, 257) ? 'tar' : null;
}

export function isParquet(head: Uint8Array): boolean {
  return startsWith(head, [0x50, 0x41, 0x52, 0x31]);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function opens(line: string): boolean {
  return line.startsWith('{') || line.startsWith('[');
}

/** Whether text that begins with `{` or `[` is one value a line rather than one document. */
function isJsonLines(text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim());
  const content = lines.filter(
    (line) => line !== '' && !line.startsWith('#') && !isConflictMarker(line),
  );
  const [first, second] = content;
  if (first === undefined) return false;
  if (first.startsWith('{')) {
    if (parses(first)) return true;
    // A broken first line must not make a document of the whole file.
    return first.length > 1 && first.endsWith('}') && second !== undefined && opens(second);
  }
  return parses(first) && second !== undefined && opens(second);
}

/** What a text is, judged by its content first and by its name where content does not say. */
export function sniffTextFormat(head: string, name: string): Format {
  const extension = /\.([a-z0-9]+)$/iu.exec(name)?.[1]?.toLowerCase() ?? '';
  if (extension === 'csv' || extension === 'tsv' || extension === 'tab') return 'csv';
  if (extension === 'yaml' || extension === 'yml') return 'yaml';
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl';
  const content = head.replace(/^(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t\r]*/u, '');
  if (content.startsWith('{') || content.startsWith('[')) {
    if (isJsonLines(content)) return 'jsonl';
    // Prompts open with brackets too, so under another name only a document that parses is one; of a long one only
    // the start is at hand.
    const cut = content.length > 60_000 && /^[[{]\s*["{[]/u.test(content);
    if (extension !== 'json' && (cut || parses(content))) return 'json';
  }
  return extension === 'json' ? 'json' : 'text';
}

/** Whether a member of an archive is data; licences, pictures and code are not. */
export function isDataName(name: string): boolean {
  if (/(?:^|\/)(?:__MACOSX\/|\._)/u.test(name)) return false;
  return /\.(?:jsonl?|ndjson|csv|tsv|tab|ya?ml|txt|parquet|eval|gz|zip|tar|tgz)$/iu.test(name);
}
