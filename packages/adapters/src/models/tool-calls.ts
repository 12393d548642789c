import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolCall,
  type ToolSpec,
} from '@pab/model';

/** Tool names as providers take them (letters, digits, `_`, `-`; 64 at most), and back. */
export class WireNames {
  readonly #toWire = new Map<string, string>();
  readonly #fromWire = new Map<string, string>();

  constructor(tools: readonly ToolSpec[]) {
    for (const { name } of tools) {
      const plain = WireNames.#plain(name);
      let wire = plain;
      for (let count = 2; this.#fromWire.has(wire); count += 1) {
        wire = `${plain.slice(0, 60)}_${count}`;
      }
      this.#toWire.set(name, wire);
      this.#fromWire.set(wire, name);
    }
  }

  /** Also for names that no tool has: a model may have made one up, and its call stands in the history. */
  toWire(name: string): string {
    return this.#toWire.get(name) ?? WireNames.#plain(name);
  }

  fromWire(wire: string): string {
    return this.#fromWire.get(wire) ?? wire;
  }

  static #plain(name: string): string {
    const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
    return plain === '' ? '_' : plain;
  }
}

// Deeper arguments fit no tool, and what reads them later recurses.
const MAX_DEPTH = 64;

function tooDeep(value: JsonValue, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true;
  if (isArray(value)) return value.some((item) => tooDeep(item, depth + 1));
  return isObject(value) && Object.values(value).some((item) => tooDeep(item, depth + 1));
}

/** A call with its arguments read; arguments that are no JSON object are kept as they came. */
export function toCall(id: string, tool: string, given: unknown): ToolCall {
  let value: unknown = given;
  if (typeof given === 'string') {
    if (given.trim() === '') return { id, tool, args: {} };
    try {
      value = JSON.parse(given);
    } catch {
      return { id, tool, args: {}, unparsed: given };
    }
  }
  if (value === undefined || value === null) return { id, tool, args: {} };
  if (isObject(value) && !tooDeep(value)) return { id, tool, args: value };
  return {
    id,
    tool,
    args: {},
    unparsed: typeof given === 'string' ? given : JSON.stringify(given).slice(0, 10_000),
  };
}

/** Arguments to show a model again. Servers parse them, so unreadable ones go inside readable JSON. */
export function argsToShow({ args, unparsed }: ToolCall): JsonObject {
  return unparsed === undefined ? args : { unreadable_arguments: unparsed };
}

/** Gives out ids: the provider's where it is one and new, else the next free number. Same request, same ids. */
export function idsAfter(
  messages: readonly Message[],
): (given: string | null | undefined) => string {
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.calls) used.add(id);
  }
  let next = used.size;
  return (given) => {
    let id = given ?? '';
    while (id === '' || used.has(id)) {
      next += 1;
      id = `call_${next}`;
    }
    used.add(id);
    return id;
  };
}

/** Reply text without the reasoning that some local servers leave in front of it. */
export function withoutReasoning(text: string): string {
  const begin = text.trimStart();
  if (!begin.startsWith('<think>')) return text;
  const end = begin.indexOf('</think>');
  return end < 0 ? '' : begin.slice(end + '</think>'.length).trimStart();
}
