import {
  type Case,
  CHANNELS,
  CONTROL_TYPES,
  digest,
  FAMILIES,
  SEVERITIES,
  type Transcript,
} from '@pab/model';
import * as z from 'zod';
import { ScoreError } from './errors.js';
import { DELIVERIES, type Judgement, OUTCOMES } from './judgement.js';
import { LEAK_STEPS } from './leak/finding.js';

const Count = z.number().int().nonnegative();
const DeliveryName = z.enum(DELIVERIES);

const JudgementLine = z.strictObject({
  judge: z.string().min(1),
  variant: z.enum(['attack', 'twin', 'control']),
  outcome: z.enum(OUTCOMES),
  stages: z.strictObject({
    reached: z.boolean(),
    delivered: DeliveryName,
    attempted: z.boolean(),
    executed: z.boolean(),
    compromised: z.boolean(),
  }),
  injections: z
    .array(
      z.strictObject({
        reached: z.boolean(),
        delivered: DeliveryName,
        source: z.string().optional(),
      }),
    )
    .readonly(),
  utility: z.boolean().nullable(),
  withheld: z.boolean(),
  refused: z.boolean(),
  leaks: z
    .array(
      z.strictObject({
        route: z.enum(['calls', 'urls', 'text']),
        how: z.array(z.enum(LEAK_STEPS)).min(1).readonly(),
        where: z.string(),
      }),
    )
    .readonly(),
  notes: z.array(z.string()).readonly(),
}) satisfies z.ZodType<Judgement>;

/** One line of `trials.jsonl`: what was tried and what came of it. The transcript stands in a file of its own. */
export const Trial = z.strictObject({
  schema: z.literal(1),
  scenario: z.string().min(1),
  trial: Count,
  seed: z.number().int(),
  channel: z.enum(CHANNELS),
  family: z.enum(FAMILIES),
  severity: z.enum(SEVERITIES),
  controlType: z.enum(CONTROL_TYPES).optional(),
  /** What the attacker wants; a cluster of the statistics. Null on a control. */
  goal: z.string().min(1).nullable(),
  /** Scenarios with the same task share this; a cluster of the statistics. */
  taskId: z.string().min(1),
  world: z.string().min(1),
  imported: z.literal(true).optional(),
  /** The oracle looks for text that stands in the payload; such rates are reported apart. */
  verbatimCanary: z.literal(true).optional(),
  target: z.string().min(1),
  defense: z.string().min(1),
  judgement: JudgementLine,
  usage: z.strictObject({ modelCalls: Count, inputTokens: Count, outputTokens: Count }),
  modelId: z.string().optional(),
  /** Why the trial broke off, when it did. */
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  /** SHA-256 (hex) of the transcript; the official runner digests its JSON text as it is written. */
  transcript: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 as 64 lower-case hex digits'),
});
export type Trial = z.output<typeof Trial>;

export interface TrialOptions {
  readonly target: string;
  readonly defense: string;
  /** SHA-256 (hex) of a value's canonical JSON; by default the one of `@pab/model`. A native one is faster. */
  readonly digest?: (value: unknown) => string;
}

/** The line of one judged trial. */
export function trialOf(
  theCase: Case,
  transcript: Transcript,
  judgement: Judgement,
  { target, defense, digest: digestOf = digest }: TrialOptions,
): Trial {
  const { scenario, seed, trial } = theCase;
  const { controlType, imported, verbatim_canary: verbatimCanary } = scenario;
  const { modelId, error, usage } = transcript;
  return {
    schema: 1,
    scenario: scenario.id,
    trial,
    seed,
    channel: scenario.channel,
    family: scenario.family,
    severity: scenario.severity,
    ...(controlType === undefined ? {} : { controlType }),
    goal: scenario.goal ?? null,
    taskId: scenario.taskId,
    world: scenario.world,
    ...(imported === undefined ? {} : { imported }),
    ...(verbatimCanary === undefined ? {} : { verbatimCanary }),
    target,
    defense,
    judgement,
    usage,
    ...(modelId === undefined ? {} : { modelId }),
    ...(error === undefined ? {} : { error }),
    transcript: digestOf(transcript),
  };
}

/**
 * Reads one line of `trials.jsonl`.
 *
 * @throws ScoreError `invalid-trial`, which names the line and the first field that is wrong
 */
export function parseTrial(line: string, lineNumber: number): Trial {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new ScoreError('invalid-trial', `line ${lineNumber} is not JSON`, { cause: error });
  }
  const parsed = Trial.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.map(String).join('.') ?? '';
  throw new ScoreError(
    'invalid-trial',
    `line ${lineNumber} is not a trial: ${place === '' ? '' : `${place}: `}${issue?.message ?? 'unknown fault'}`,
  );
}
