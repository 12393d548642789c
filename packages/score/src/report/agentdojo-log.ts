import type { JsonObject, ToolCall, Transcript } from '@pab/model';
import type { Trial } from '../trial.js';
import { type ChatMessage, chatMessages } from './chat-messages.js';
import type { ArchiveFile } from './inspect-log.js';
import type { ReportRun } from './report-run.js';

const callOf = (held: ToolCall): JsonObject => ({
  function: held.tool,
  args: held.args,
  id: held.id,
  placeholder_args: null,
});

function message({ role, text, calls, call, isError }: ChatMessage): JsonObject {
  const content = [{ type: 'text', content: text }];
  if (role === 'assistant') {
    return {
      role,
      content: text === '' ? null : content,
      tool_calls: calls.length === 0 ? null : calls.map(callOf),
    };
  }
  if (role !== 'tool' || call === undefined) return { role, content };
  return {
    role,
    content,
    tool_call_id: call.id,
    tool_call: callOf(call),
    error: isError ? text : null,
  };
}

/** A folder name of letters, digits, dots, hyphens and low lines: whatever the target is called, it stays below `runs/`. */
const folderName = (text: string): string =>
  text
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^\.+/g, '')
    .slice(0, 100) || 'unnamed';

/**
 * A trial in the log layout of AgentDojo: `pipeline/suite/user task/attack/injection task.json`, with its messages and its two verdicts.
 * There, `security` is true when the attack succeeded. The suite is our world, the attack our family; a case without an injection stands
 * under `none/none.json` as there, and further trials of a case under `trial-N` beside the pipeline.
 */
export function agentDojoLog(run: ReportRun, trial: Trial, transcript: Transcript): ArchiveFile {
  const { judgement, scenario } = trial;
  const attack = judgement.variant === 'attack';
  const failed = judgement.outcome === 'error';
  const pipeline = folderName(
    `${trial.target}${trial.defense === 'none' ? '' : `-${trial.defense}`}${trial.trial === 0 ? '' : `-trial-${trial.trial}`}`,
  );
  const suite = folderName(trial.world);
  // A case of ours is a task of its own: two scenarios with one task differ in their worlds' contents.
  const userTask = folderName(
    `${trial.taskId}.${scenario}${judgement.variant === 'twin' ? '.twin' : ''}`,
  );
  const attackName = attack ? folderName(trial.family) : 'none';
  const injection = attack ? folderName(scenario) : 'none';
  return {
    path: `${pipeline}/${suite}/${userTask}/${attackName}/${injection}.json`,
    text: JSON.stringify(
      {
        suite_name: suite,
        pipeline_name: pipeline,
        user_task_id: userTask,
        injection_task_id: attack ? injection : null,
        attack_type: attack ? attackName : null,
        injections: {},
        messages: chatMessages(transcript).map(message),
        error: failed
          ? `${trial.error?.code ?? 'empty'}: ${trial.error?.message ?? 'no answer'}`
          : null,
        utility: judgement.utility ?? false,
        security: judgement.outcome === 'compromised',
        duration: 0,
        evaluation_timestamp: run.ended,
        agentdojo_package_version: 'pab',
        pab: {
          version: run.version,
          judge: judgement.judge,
          outcome: judgement.outcome,
          reached: judgement.stages.reached,
          delivered: judgement.stages.delivered,
          transcript: trial.transcript,
        },
      },
      null,
      2,
    ),
  };
}
