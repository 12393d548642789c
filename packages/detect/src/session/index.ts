export {
  builtinCorrelations,
  type Correlation,
  type CountedField,
  type EventSelector,
  type GroupField,
  parseCorrelations,
} from './correlation.js';
export { type CorrelationFinding, Correlator, type CorrelatorOptions } from './correlator.js';
