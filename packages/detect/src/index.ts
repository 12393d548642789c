export { DetectError, type DetectErrorCode, type Place } from './errors.js';
export { builtinRules } from './rules/builtin-rules.js';
export { loadRules, type RuleFile } from './rules/load-rules.js';
export type { Filter, Rule, RulePack, RuleScope, RuleStatus } from './rules/rule.js';
export { Scanner, type ScannerOptions } from './scanner.js';
export { scoreOf, type Thresholds, verdictOf, weightOf } from './scoring.js';
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
