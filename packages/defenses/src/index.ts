export { allowlist } from './allowlist.js';
export { approval } from './approval.js';
export { badger } from './badger.js';
export { canary } from './canary.js';
export { compose } from './compose.js';
export { delimit } from './delimit.js';
export { dualModel } from './dual-model.js';
export { filter } from './filter.js';
export {
  type GuardFetch,
  type HttpDetectorOptions,
  type HttpGuardResources,
  httpDetector,
  httpGuard,
} from './http-guard.js';
export { instructions } from './instructions.js';
export { none } from './none.js';
export { outputGuard } from './output-guard.js';
export { planLock } from './plan-lock.js';
export { type DefenseFactory, type DefenseResources, defenseFrom, defenses } from './registry.js';
export { sandwich } from './sandwich.js';
export { SPOTLIGHT_MODES, type SpotlightMode, spotlight } from './spotlight.js';
export { taint } from './taint.js';
export { toolFilter } from './tool-filter.js';
