import { type Defense, type Detector, type JsonObject, ModelError } from '@pab/model';
import { allowlist } from './allowlist.js';
import { approval } from './approval.js';
import { badger } from './badger.js';
import { canary } from './canary.js';
import { delimit } from './delimit.js';
import { dualModel } from './dual-model.js';
import { filter } from './filter.js';
import { type GuardFetch, httpGuard } from './http-guard.js';
import { instructions } from './instructions.js';
import { none } from './none.js';
import { readOptions } from './options.js';
import { outputGuard } from './output-guard.js';
import { planLock } from './plan-lock.js';
import { sandwich } from './sandwich.js';
import { spotlight } from './spotlight.js';
import { taint } from './taint.js';
import { toolFilter } from './tool-filter.js';

/** What some defenses need from outside; the caller owns it. */
export interface DefenseResources {
  /** For `badger` and `output-guard`. */
  readonly detector?: Detector;
  /** For `http-guard`. */
  readonly fetch?: GuardFetch;
  readonly guardKey?: string;
}

/** Makes a defense from its options; throws `ModelError` `invalid-options` for any that it does not know. */
export type DefenseFactory = (options: JsonObject, resources?: DefenseResources) => Defense;

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
  'tool-filter': plain('tool-filter', toolFilter),
  badger: (options, resources = {}) => badger(options, { detector: resources.detector }),
  'output-guard': (options, resources = {}) =>
    outputGuard(options, { detector: resources.detector }),
  canary,
  taint,
  'plan-lock': planLock,
  'dual-model': dualModel,
  approval,
  'http-guard': (options, { fetch, guardKey } = {}) =>
    httpGuard(options, { ...(fetch === undefined ? {} : { fetch }), apiKey: guardKey }),
};

/** A built-in defense. @throws ModelError `invalid-options` for an unknown name or option, or a resource that is missing */
export function defenseFrom(
  name: string,
  options: JsonObject = {},
  resources: DefenseResources = {},
): Defense {
  const make = Object.hasOwn(defenses, name) ? defenses[name] : undefined;
  if (make !== undefined) return make(options, resources);
  throw new ModelError(
    'invalid-options',
    `there is no defense "${name}"; there are ${Object.keys(defenses).join(', ')}`,
  );
}
