export { allowlist } from './allowlist.js';
export { compose } from './compose.js';
export { delimit } from './delimit.js';
export { filter } from './filter.js';
export { instructions } from './instructions.js';
export { none } from './none.js';
export { type DefenseFactory, defenseFrom, defenses } from './registry.js';
export { sandwich } from './sandwich.js';
export { SPOTLIGHT_MODES, type SpotlightMode, spotlight } from './spotlight.js';
