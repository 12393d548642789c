/** An own property of an object; undefined for everything else. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** An own property that is a string. */
export function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** An own property that is a string, number or boolean, as text. */
export function scalarField(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}

/** An own property that is a list. */
export function listField(value: unknown, name: string): readonly unknown[] | undefined {
  const found = field(value, name);
  return Array.isArray(found) ? found : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The named fields that are there, without those that are empty. */
export function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const name of names) {
    const found = field(value, name);
    if (found !== undefined && found !== null && found !== '') entries.push([name, found]);
  }
  return Object.fromEntries(entries);
}

/** All fields but the named ones. */
export function omit(value: unknown, names: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Text of a message: a string, or a list of parts of which those with text count. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return textField(content, 'text');
  const parts = content.map((part) =>
    typeof part === 'string' ? part : (textField(part, 'text') ?? textField(part, 'content')),
  );
  const texts = parts.filter((part) => part !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n');
}
