import { type Defense, type JsonObject, ModelError } from '@pab/model';
import { allowlist } from './allowlist.js';
import { delimit } from './delimit.js';
import { filter } from './filter.js';
import { instructions } from './instructions.js';
import { none } from './none.js';
import { readOptions } from './options.js';
import { sandwich } from './sandwich.js';
import { spotlight } from './spotlight.js';

/** Makes a defense from its options; throws `ModelError` `invalid-options` for any that it does not know. */
export type DefenseFactory = (options: JsonObject) => Defense;

const plain =
  (name: string, make: () => Defense): DefenseFactory =>
  (options) => {
    readOptions(name, options, {});
    return make();
  };

/** Every built-in defense by its name. */
export const defenses: Readonly<Record<string, DefenseFactory>> = {
  none: plain('none', none),
  delimit: plain('delimit', delimit),
  spotlight,
  sandwich: plain('sandwich', sandwich),
  instructions: plain('instructions', instructions),
  filter,
  allowlist,
};

/** A built-in defense. @throws ModelError `invalid-options` for an unknown name or option */
export function defenseFrom(name: string, options: JsonObject = {}): Defense {
  const make = Object.hasOwn(defenses, name) ? defenses[name] : undefined;
  if (make !== undefined) return make(options);
  throw new ModelError(
    'invalid-options',
    `there is no defense "${name}"; there are ${Object.keys(defenses).join(', ')}`,
  );
}
