export { type EcsDocument, toEcs } from './ecs.js';
export { toJsonLine } from './json-lines.js';
export { type OcsfFinding, toOcsf } from './ocsf.js';
export { type OtelLogRecord, toOtel } from './open-telemetry.js';
export { type SarifLog, toSarif } from './sarif.js';
export {
  type EventDetection,
  type EventOptions,
  type ScanEvent,
  toEvent,
} from './scan-event.js';
