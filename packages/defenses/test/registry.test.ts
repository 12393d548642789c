import type { JsonObject } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { defenseFrom } from '../src/index.js';

describe('the registry of defenses', () => {
  it.each<[string, JsonObject, string | RegExp]>([
    ['nothing', {}, /^there is no defense "nothing"; there are none, delimit, /],
    ['constructor', {}, /^there is no defense "constructor"/],
    ['delimit', { tag: 'x' }, 'delimit has no option "tag"; it takes none'],
    [
      'spotlight',
      { mod: 'encoding' },
      'spotlight has no option "mod"; it takes mode (delimiting | datamarking | encoding)',
    ],
    [
      'spotlight',
      { mode: 'rot13' },
      'option "mode" of spotlight is "rot13"; allowed: delimiting | datamarking | encoding',
    ],
    ['filter', { action: 1 }, 'option "action" of filter is 1; allowed: mask | drop'],
    ['allowlist', { tools: [1] }, 'option "tools" of allowlist is [1]; allowed: a list of names'],
    [
      'allowlist',
      JSON.parse('{"__proto__": []}') as JsonObject,
      /^allowlist has no option "__proto__"/,
    ],
  ])('refuses %s with %o and says what is allowed', (name, options, message) => {
    expect(() => defenseFrom(name, options)).toThrow(message);
  });

  it('keeps the options that a defense was made with, defaults included', () => {
    expect(defenseFrom('spotlight').options).toEqual({ mode: 'datamarking' });
    expect(defenseFrom('allowlist', { tools: 'a, b' }).options).toEqual({ tools: ['a', 'b'] });
    expect(defenseFrom('delimit').options).toBeUndefined();
  });
});
