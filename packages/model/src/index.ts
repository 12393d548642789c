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
export { getAt, pointerSteps, setAt } from './pointer.js';
export { drawInteger, drawItem, randomFrom } from './random.js';
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
