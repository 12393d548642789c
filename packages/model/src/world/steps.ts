import { deepEqual, isArray, isObject, type JsonObject, type JsonValue, setOwn } from '../json.js';
import { getAt, setAt } from '../pointer.js';
import type { Step } from '../schema/world.js';
import { type Item, itemsAt, pickFields, searchItems, selectItems } from './collection.js';
import { fill } from './template.js';

/** A call under way: the state so far, and what the steps bound. */
export interface Running {
  state: JsonObject;
  ids: number;
  readonly scope: Map<string, JsonValue>;
}

/** What a step gave, or the text of the tool error that ends the call. */
export type StepResult = { readonly value: JsonValue } | { readonly error: string };

const asText = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

function fail(template: string, running: Running): StepResult {
  return { error: asText(fill(template, running.scope)) };
}

function bind(running: Running, name: string | undefined, value: JsonValue): StepResult {
  if (name !== undefined) running.scope.set(name, value);
  return { value };
}

function collection(running: Running, pointer: string): Item[] {
  return itemsAt(running.state, pointer) ?? [];
}

function replaceAt(running: Running, pointer: string, next: JsonValue): void {
  const state = setAt(running.state, pointer, next);
  if (isObject(state)) running.state = state;
}

type Require = Extract<Step, { require: unknown }>;

function holds({ require }: Require, running: Running): boolean {
  if ('exists' in require || 'absent' in require) {
    const asked = 'exists' in require ? require.exists : require.absent;
    const found = selectItems(collection(running, asked.in), asked.where, running.scope);
    return found.length > 0 === 'exists' in require;
  }
  const value = fill(require.value, running.scope);
  // A condition on an argument that was not given holds: the schema says what must be given.
  if (value === undefined) return true;
  const other = (template: JsonValue) => fill(template, running.scope);
  if ('equals' in require) return deepEqual(value, other(require.equals));
  if ('differs' in require) return !deepEqual(value, other(require.differs));
  if ('oneOf' in require) return require.oneOf.some((item) => deepEqual(value, other(item)));
  const bound = other('min' in require ? require.min : require.max);
  if (typeof value !== 'number' || typeof bound !== 'number') return false;
  return 'min' in require ? value >= bound : value <= bound;
}

function paged(
  items: readonly Item[],
  step: {
    readonly fields?: readonly string[] | undefined;
    readonly page?: { page: string; size: number } | undefined;
  },
  running: Running,
): JsonValue {
  const values = items.map((item) => pickFields(item.value, step.fields));
  if (step.page === undefined) return values;
  const { size } = step.page;
  const asked = fill(`\${args.${step.page.page}}`, running.scope);
  const page = typeof asked === 'number' && asked >= 1 ? Math.floor(asked) : 1;
  return {
    items: values.slice((page - 1) * size, page * size),
    page,
    pages: Math.max(1, Math.ceil(values.length / size)),
  };
}

function append(step: Extract<Step, { append: unknown }>['append'], running: Running): StepResult {
  const held = getAt(running.state, step.to);
  if (!isArray(held)) return { error: `There is nowhere to put this.` };
  if (step.id !== undefined) {
    const { field, prefix } = step.id;
    const taken = new Set(held.map((item) => (isObject(item) ? item[field] : undefined)));
    do running.ids += 1;
    while (taken.has(`${prefix}${running.ids}`));
    running.scope.set('id', `${prefix}${running.ids}`);
  }
  const filled = fill(step.item, running.scope) ?? null;
  let item = filled;
  if (step.id !== undefined && isObject(filled)) {
    const withId: Record<string, JsonValue> = {};
    setOwn(withId, step.id.field, running.scope.get('id') ?? null);
    item = { ...withId, ...filled };
  }
  running.scope.delete('id');
  replaceAt(running, step.to, [...held, item]);
  return bind(running, step.as, item);
}

function update(step: Extract<Step, { update: unknown }>['update'], running: Running): StepResult {
  const at = getAt(running.state, step.in);
  const single = step.where === undefined && isObject(at);
  const found = single
    ? [{ key: '', value: at }]
    : selectItems(collection(running, step.in), step.where, running.scope);
  if (found.length === 0 && step.missing !== undefined) return fail(step.missing, running);
  const changed: JsonValue[] = [];
  for (const item of found) {
    let next: JsonValue = item.value;
    // `item` names the one that is being changed, so that a value can be made from the old one.
    running.scope.set('item', item.value);
    for (const [pointer, template] of Object.entries(step.set)) {
      const value = fill(template, running.scope);
      if (value !== undefined) next = setAt(next, pointer, value) ?? next;
    }
    changed.push(next);
    const pointer = single
      ? step.in
      : `${step.in}/${item.key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    replaceAt(running, pointer, next);
  }
  running.scope.delete('item');
  const [first] = changed;
  return bind(running, step.as, changed.length === 1 && first !== undefined ? first : changed);
}

function remove(step: Extract<Step, { delete: unknown }>['delete'], running: Running): StepResult {
  const held = getAt(running.state, step.in);
  const found = selectItems(collection(running, step.in), step.where, running.scope);
  if (found.length === 0 && step.missing !== undefined) return fail(step.missing, running);
  const keys = new Set(found.map((item) => item.key));
  if (isArray(held)) {
    replaceAt(
      running,
      step.in,
      held.filter((_, index) => !keys.has(String(index))),
    );
  } else if (isObject(held)) {
    replaceAt(
      running,
      step.in,
      Object.fromEntries(Object.entries(held).filter(([key]) => !keys.has(key))),
    );
  }
  return bind(running, step.as, { deleted: found.length });
}

/** Performs one step. The state in `running` is replaced, never changed in place. */
export function perform(step: Step, running: Running): StepResult {
  if ('require' in step) return holds(step, running) ? { value: null } : fail(step.error, running);
  if ('get' in step) {
    const { from, where, fields, missing, as } = step.get;
    const found =
      where === undefined
        ? getAt(running.state, from)
        : selectItems(collection(running, from), where, running.scope)[0]?.value;
    if (found === undefined) return fail(missing ?? 'Not found.', running);
    return bind(running, as, pickFields(found, fields));
  }
  if ('list' in step) {
    const found = selectItems(collection(running, step.list.from), step.list.where, running.scope);
    return bind(running, step.list.as, paged(found, step.list, running));
  }
  if ('search' in step) {
    const { from, where, query, in: fields } = step.search;
    const pool = selectItems(collection(running, from), where, running.scope);
    const found = searchItems(pool, fields, fill(query, running.scope));
    return bind(running, step.search.as, paged(found, step.search, running));
  }
  if ('append' in step) return append(step.append, running);
  if ('update' in step) return update(step.update, running);
  if ('delete' in step) return remove(step.delete, running);
  return bind(running, step.const.as, fill(step.const.value, running.scope) ?? null);
}
