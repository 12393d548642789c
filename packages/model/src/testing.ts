export { defenseContract } from './testing/defense-contract.js';
export { detectorContract } from './testing/detector-contract.js';
export type { ContractCheck } from './testing/sample.js';
export { targetContract } from './testing/target-contract.js';
