import { isArray, isObject, type JsonValue, own, setOwn } from '../json.js';

/** What expressions can name: `args`, `now`, `today`, `id`, and what steps bound. */
export type Scope = ReadonlyMap<string, JsonValue>;

const EXACT = /^\$\{([a-z_][a-z0-9_.]*)\}$/i;
const INSIDE = /\$?\$\{([a-z_][a-z0-9_.]*)\}/gi;

function lookUp(expression: string, scope: Scope): JsonValue | undefined {
  const [name = '', ...fields] = expression.split('.');
  let at = scope.get(name);
  for (const field of fields) {
    if (isArray(at)) {
      at = field === 'length' ? at.length : /^\d{1,9}$/.test(field) ? at[Number(field)] : undefined;
    } else {
      at = isObject(at) ? own(at, field) : undefined;
    }
  }
  return at;
}

/** Fills a template. Undefined when it is one expression that names nothing. */
export function fill(template: JsonValue, scope: Scope): JsonValue | undefined {
  if (typeof template === 'string') {
    if (!template.includes('${')) return template;
    const exact = EXACT.exec(template);
    if (exact !== null) return lookUp(exact[1] ?? '', scope);
    return template.replace(INSIDE, (whole, expression: string) => {
      if (whole.startsWith('$$')) return whole.slice(1);
      const value = lookUp(expression, scope);
      if (value === undefined) return '';
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
  }
  if (isArray(template)) {
    return template.flatMap((item) => {
      const value = fill(item, scope);
      return value === undefined ? [] : [value];
    });
  }
  if (!isObject(template)) return template;
  const filled: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(template)) {
    const value = fill(item, scope);
    if (value !== undefined) setOwn(filled, key, value);
  }
  return filled;
}

/** Names that the expressions of a template use. */
export function namesIn(template: JsonValue): Set<string> {
  const names = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (typeof value === 'string') {
      for (const match of value.matchAll(INSIDE)) {
        if (!match[0].startsWith('$$')) names.add(match[1] ?? '');
      }
    } else if (isArray(value)) value.forEach(visit);
    else if (isObject(value)) Object.values(value).forEach(visit);
  };
  visit(template);
  return names;
}
