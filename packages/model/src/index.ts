export type {
  Case,
  CaseInjection,
  CaseSession,
  CaseText,
  CaseTurn,
  Variant,
  WorldState,
} from './case.js';
export type {
  CallOptions,
  ChatModel,
  ChatReply,
  ChatRequest,
  ChatStop,
  Decision,
  Defense,
  DefenseAction,
  DefenseContext,
  DefenseHooks,
  Detector,
  DetectorFinding,
  DetectorScope,
  Effect,
  Findings,
  Message,
  OutputDecision,
  Part,
  Policy,
  Provenance,
  Session,
  Target,
  TargetResult,
  Task,
  ToolCall,
  ToolResult,
  ToolSpec,
  Trail,
  Usage,
} from './contracts.js';
export { type Delivery, isLegible, measureDelivery } from './delivery.js';
export { digest, digestText } from './digest.js';
export { ModelError, type ModelErrorCode, TargetError, type TargetErrorCode } from './errors.js';
export { fold, foldTight } from './fold.js';
export { drawVars, fillVars } from './instantiate/fill-vars.js';
export { type InstantiateOptions, instantiate, variantsOf } from './instantiate/instantiate.js';
export {
  canonicalJson,
  deepEqual,
  eachString,
  isArray,
  isObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  mapStrings,
  own,
  setOwn,
} from './json.js';
export { fromInjectionBench, looksLikeInjectionBench } from './load/agent-injection-bench.js';
export { assemble, type Entry, type Loaded } from './load/assemble.js';
export { eachOracle, textsOf } from './load/check-oracle.js';
export { quotableTokens, visibleTexts } from './load/check-scenario.js';
export { type CorpusManifest, compile, countCorpus } from './load/compile.js';
export { type Document, decodeCorpusText, MAX_LINE, problemAt } from './load/document.js';
export { type CorpusHeader, type LoadedJsonl, loadJsonl } from './load/jsonl.js';
export {
  formatProblem,
  type Path,
  type Place,
  type Problem,
  pathText,
  printable,
} from './load/problem.js';
export {
  CHANNELS,
  type Channel,
  CONTROL_TYPES,
  type ControlType,
  FAMILIES,
  type Family,
  type ScenarioSeverity,
  SEVERITIES,
} from './names.js';
export { didYouMean, nearest } from './nearest.js';
export { getAt, pointerSteps, setAt } from './pointer.js';
export { drawInteger, drawItem, randomFrom } from './random.js';
export { scenarioJsonSchema } from './scenario-json-schema.js';
export {
  type CallsOracle,
  Count,
  type LeakRoute,
  type LeaksOracle,
  Matcher,
  Oracle,
  Pointer,
  type StateOracle,
} from './schema/oracle.js';
export {
  Injection,
  InjectionPoint,
  type Plan,
  PlanStep,
  Scenario,
  ScenarioId,
  type ScenarioSource,
} from './schema/scenario.js';
export { type VarKind, VarName, VarSpec } from './schema/vars.js';
export { Step, Template, ToolDefinition, World } from './schema/world.js';
export type {
  CallEntry,
  ModelEntry,
  OutputEntry,
  PromptEntry,
  StopReason,
  Transcript,
  TranscriptEntry,
} from './transcript.js';
export { type Applied, applyCall } from './world/apply-call.js';
export { layoutOf, type TakenApart } from './world/layout.js';
export { messageText, partsText, renderResult } from './world/render.js';
