export { makeCanary } from './canary.js';
export { decodeViews, rawSpan } from './decoding.js';
export { DetectError, type DetectErrorCode, type Place } from './errors.js';
export {
  type EcsDocument,
  type EventDetection,
  type EventOptions,
  type OcsfFinding,
  type OtelLogRecord,
  type SarifLog,
  type ScanEvent,
  toEcs,
  toEvent,
  toJsonLine,
  toOcsf,
  toOtel,
  toSarif,
} from './events/index.js';
export { type AskModel, createJudge, type Judge, type JudgeOptions } from './judge/index.js';
export {
  checkOutput,
  type OutputChecker,
  type OutputOptions,
  outputChecker,
} from './output/index.js';
export {
  ATTACK_SENTENCES,
  REWRITES,
  type Rewrite,
  type RewriteRow,
  rewriteMarkdown,
  rewriteTable,
} from './rewrites/index.js';
export { type WrittenRule, writtenRule } from './rules/as-written.js';
export { builtinRules } from './rules/builtin-rules.js';
export { loadRules, type RuleFile } from './rules/load-rules.js';
export type { RuleOverride, RuleOverrides } from './rules/overrides.js';
export type { Filter, Rule, RulePack, RuleScope, RuleStatus } from './rules/rule.js';
export {
  type CanaryOptions,
  type ReplyOptions,
  Scanner,
  type ScannerFindings,
  type ScannerOptions,
  type TextClassifier,
} from './scanner.js';
export { scoreOf, type Thresholds, verdictOf, weightOf } from './scoring.js';
export {
  builtinCorrelations,
  type Correlation,
  type CorrelationFinding,
  Correlator,
  type CorrelatorOptions,
  type CountedField,
  type EventSelector,
  type GroupField,
  parseCorrelations,
} from './session/index.js';
export { createScanStream, type GateOptions, OutputGate, type ScanStream } from './stream/index.js';
export { type RuleTestFailure, type RuleTestReport, testRules } from './test-rules.js';
export type {
  Detection,
  ScanResult,
  Scope,
  Severity,
  Span,
  Tags,
  Verdict,
  View,
  ViewNotice,
  Views,
} from './types.js';
export { SEVERITY_WEIGHT } from './types.js';
export type { DecodeOptions } from './views/index.js';
