import type { Message, Part, ToolResult } from '../contracts.js';
import { isArray, isObject, type JsonValue, own } from '../json.js';

const JSON_SCALAR = /^(?:null|true|false|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

function renderLayout(layout: JsonValue, texts: ReadonlyMap<number, readonly string[]>): string {
  if (isArray(layout)) return `[${layout.map((item) => renderLayout(item, texts)).join(', ')}]`;
  if (!isObject(layout)) return JSON.stringify(layout);
  const shape = own(layout, '{}');
  if (isObject(shape)) {
    const fields = Object.entries(shape).map(
      ([key, item]) => `${JSON.stringify(key)}: ${renderLayout(item, texts)}`,
    );
    return `{${fields.join(', ')}}`;
  }
  const leaf = own(layout, '#');
  const held = typeof leaf === 'number' ? texts.get(leaf) : undefined;
  if (held === undefined) return 'null';
  const text = held.join('');
  return own(layout, 'raw') === true && JSON_SCALAR.test(text) ? text : JSON.stringify(text);
}

/**
 * The text of a tool result as a model reads it; the only place where leaf text is escaped. A result with a layout becomes JSON
 * with one space after `:` and `,`; several parts of one leaf are joined; a leaf whose part is gone becomes
 * `null`. Parts without a leaf stand on lines of their own, before the JSON when they come before the first
 * leaf and after it otherwise. A result without a layout is its parts, joined.
 */
export function renderResult(result: Pick<ToolResult, 'parts' | 'layout'>): string {
  if (result.layout === undefined) return partsText(result.parts);
  const before: string[] = [];
  const after: string[] = [];
  const texts = new Map<number, string[]>();
  for (const { text, leaf } of result.parts) {
    if (leaf === undefined) (texts.size === 0 ? before : after).push(text);
    else {
      const held = texts.get(leaf);
      if (held === undefined) texts.set(leaf, [text]);
      else held.push(text);
    }
  }
  return [...before, renderLayout(result.layout, texts), ...after].join('\n');
}

/** Parts of a prompt or a bare result, joined as they stand. */
export function partsText(parts: readonly Part[]): string {
  return parts.map((part) => part.text).join('');
}

/** The text of any message as a model reads it, without its calls. */
export function messageText(message: Message): string {
  return message.role === 'tool' ? renderResult(message) : partsText(message.parts);
}
