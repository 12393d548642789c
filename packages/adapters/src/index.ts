export { type AiSdkModel, type AiSdkOptions, aiSdk } from './models/ai-sdk.js';
export { type AnthropicOptions, anthropic } from './models/anthropic.js';
export type { ExchangeOptions, Fetch } from './models/exchange.js';
export { type GeminiOptions, gemini } from './models/gemini.js';
export { type OpenAiCompatOptions, openAiCompat } from './models/openai-compat.js';
export { type TargetEntry, type TargetEnvironment, targetNamed, targets } from './registry.js';
export { PROTOCOL } from './targets/agent-protocol.js';
export { type ChatTargetOptions, chatTarget } from './targets/chat-target.js';
export { type CommandAgentOptions, commandAgent } from './targets/command-agent.js';
export { type HttpAgentOptions, httpAgent } from './targets/http-agent.js';
export { PLAN_NAMES, type PlanName, reference } from './targets/reference.js';
export { replay } from './targets/replay.js';
export {
  diligent,
  naive,
  paranoid,
  type SimulatedTarget,
  type WaryOptions,
  wary,
} from './targets/simulated.js';
export { type Answer, targetFrom } from './targets/target-from.js';
export type { Timers } from './trial/cancellation.js';
export { runTrial, type TrialOptions } from './trial/run-trial.js';
