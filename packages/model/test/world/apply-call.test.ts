import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyCall, renderResult, type ToolCall, World, type WorldState } from '../../src/index.js';
import { worldInput } from '../sample.js';

const world = World.parse(worldInput);
const start: WorldState = { now: world.now, state: world.state, tools: world.tools, ids: 1000 };

const call = (tool: string, args: ToolCall['args'] = {}): ToolCall => ({ id: 'c1', tool, args });

const seen = (tool: string, args: ToolCall['args'] = {}, from: WorldState = start): string =>
  renderResult(applyCall(from, call(tool, args), 1).result);

describe('applyCall', () => {
  it('gives one environment part per leaf, with where it came from', () => {
    const { result, performed } = applyCall(start, call('read_note', { id: 'n-1' }), 3);
    expect(performed).toBe(true);
    expect(result.parts).toEqual([
      { text: 'n-1', provenance: 'environment', source: 'read_note#3/id', leaf: 0 },
      { text: 'Boiler', provenance: 'environment', source: 'read_note#3/title', leaf: 1 },
      {
        text: 'The boiler shows E14.',
        provenance: 'environment',
        source: 'read_note#3/body',
        leaf: 2,
      },
      { text: '2', provenance: 'environment', source: 'read_note#3/pages', leaf: 3 },
    ]);
    expect(renderResult(result)).toBe(
      '{"id": "n-1", "title": "Boiler", "body": "The boiler shows E14.", "pages": 2}',
    );
  });

  it('pages a list from 1', () => {
    expect(seen('list_notes')).toBe(
      '{"items": [{"id": "n-1", "title": "Boiler"}], "page": 1, "pages": 2}',
    );
    expect(seen('list_notes', { page: 2 })).toContain('n-2');
    expect(seen('list_notes', { page: 9 })).toBe('{"items": [], "page": 9, "pages": 2}');
  });

  it('finds items in which every word of a query occurs, whatever the case', () => {
    expect(seen('search_notes', { query: 'BOILER e14' })).toContain('n-1');
    expect(seen('search_notes', { query: 'boiler fern' })).toBe('[]');
  });

  it('appends with a new id and the clock of the world, and leaves the old state alone', () => {
    const first = applyCall(start, call('send_post', { to: 'a', text: 't' }), 1);
    const second = applyCall(first.world, call('send_post', { to: 'b', text: 't' }), 2);
    expect(second.world.state['post']).toEqual([
      { id: 'p-1001', to: 'a', text: 't', sent: '2027-01-04T09:00:00Z' },
      { id: 'p-1002', to: 'b', text: 't', sent: '2027-01-04T09:00:00Z' },
    ]);
    expect(start.state['post']).toEqual([]);
    expect(renderResult(second.result)).toBe('{"status": "sent", "id": "p-1002"}');
  });

  it('updates from the old value, deletes, and answers with a constant', () => {
    const renamed = applyCall(start, call('rename_note', { id: 'n-2', title: 'Park' }), 1);
    expect(renderResult(renamed.result)).toContain('Park (was Garden)');
    const dropped = applyCall(renamed.world, call('drop_note', { id: 'n-1' }), 2);
    expect(dropped.world.state['notes']).toHaveLength(1);
    expect(seen('clock')).toBe(
      '{"now": "2027-01-04T09:00:00Z", "today": "2027-01-04", "price": "${literal}"}',
    );
  });

  it.each([
    ['an unknown tool', call('raed_note', { id: 'n-1' }), 'Unknown tool \\"raed_note\\"'],
    ['a missing argument', call('read_note'), 'Invalid arguments for read_note'],
    ['an argument of another type', call('read_note', { id: 5 }), 'at \\"id\\"'],
    [
      'an argument that is not declared',
      call('read_note', { id: 'n-1', x: 1 }),
      'Invalid arguments',
    ],
    ['an item that is not there', call('read_note', { id: 'n-9' }), 'There is no note n-9.'],
    ['a condition that fails', call('send_post', { to: '', text: 't' }), 'Nobody to send to.'],
    ['arguments that are no object', { ...call('clock'), unparsed: '{oops' }, 'not a JSON object'],
  ])('answers %s with a tool error and changes nothing', (_what, wrong, text) => {
    const applied = applyCall(start, wrong, 1);
    expect(applied.performed).toBe(false);
    expect(applied.world).toBe(start);
    expect(applied.result.isError).toBe(true);
    expect(renderResult(applied.result)).toContain(text);
  });

  it('is total and pure for any arguments', () => {
    const names = world.tools.map(({ name }) => name);
    const before = JSON.stringify(start.state);
    fc.assert(
      fc.property(
        fc.constantFrom(...names, 'nope'),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (tool, args) => {
          const once = applyCall(start, call(tool, args as ToolCall['args']), 1);
          const again = applyCall(start, call(tool, args as ToolCall['args']), 1);
          expect(again).toEqual(once);
          expect(JSON.stringify(start.state)).toBe(before);
          // What a model reads is JSON, whatever stood in the arguments.
          expect(() => JSON.parse(renderResult(once.result)) as unknown).not.toThrow();
        },
      ),
    );
  });

  it('survives arguments nested far deeper than a stack', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as never;
    expect(applyCall(start, call('read_note', { id: deep }), 1).performed).toBe(false);
  });

  it('keeps a key named __proto__ as data', () => {
    const hostile = JSON.parse(
      '{"to":"a","text":"t","__proto__":{"polluted":true}}',
    ) as ToolCall['args'];
    applyCall(start, call('send_post', hostile), 1);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
