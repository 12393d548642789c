import type { WireTool } from './wire.js';

export interface ReadReply {
  readonly content: string;
  /** Arguments as text, whatever the model made of them. */
  readonly calls: readonly { readonly name: string; readonly args: string }[];
}

/** End of the JSON object that begins at `from`, or -1 when it is never closed. */
function objectEnd(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // What begins with a brace and parses is an object.
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

const MOST_CALLS = 8;
const MOST_OBJECTS = 50;

/**
 * Reads calls from what the model wrote; nothing is mended. A call is a JSON object with a text `tool`; its `arguments` go on as they are,
 * and the harness answers wrong ones with a tool error. An object that begins as the call of a known tool and is no JSON is a call with
 * unreadable arguments. `{"answer": …}` is its text. All else stays text.
 */
export function readReply(output: string, tools: readonly WireTool[]): ReadReply {
  const known = new Set(tools.map(({ function: { name } }) => name));
  const calls: { name: string; args: string }[] = [];
  const texts: string[] = [];
  let from = 0;
  let objects = 0;
  for (
    let at = output.indexOf('{');
    at >= 0 && calls.length < MOST_CALLS && objects < MOST_OBJECTS;
    at = output.indexOf('{', Math.max(from, at + 1))
  ) {
    objects += 1;
    const closed = objectEnd(output, at);
    const body = output.slice(at, closed < 0 ? output.length : closed);
    const value = parsed(body);
    const tool =
      value === undefined
        ? /^\{\s*"tool"\s*:\s*"([^"]{1,64})"/.exec(body)?.[1]
        : (value['tool'] ?? undefined);
    const isCall = typeof tool === 'string' && (value !== undefined || known.has(tool));
    if (tools.length > 0 && isCall) {
      texts.push(output.slice(from, at));
      const args = value === undefined ? body : JSON.stringify(value['arguments'] ?? {});
      calls.push({ name: tool, args });
      from = at + body.length;
    } else if (typeof value?.['answer'] === 'string') {
      texts.push(output.slice(from, at), value['answer']);
      from = at + body.length;
    }
  }
  texts.push(output.slice(from));
  const content = texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
  return { content, calls };
}
