export { type GateOptions, OutputGate } from './output-gate.js';
export { createScanStream, type ScanStream } from './scan-stream.js';
