import { type RecordedTrial, type ScenarioClaim, transcriptFromMessages } from '@pab/harvest/runs';
import { didYouMean, instantiate, variantsOf } from '@pab/model';
import { judge } from '@pab/score';
import { once, wholeNumber } from '../commands/flags.js';
import type { ScoreArguments } from '../commands/score.js';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { type Corpus, loadSoundCorpus } from '../run/corpus.js';

const CHATS: ReadonlySet<string> = new Set(['openai', 'anthropic', 'otel']);

export const isChat = ({ format }: RecordedTrial): boolean => CHATS.has(format);

/** Judges chats against the scenarios that they, or the command line, name. The corpus is loaded with the first of them. */
export class ChatJudge {
  private readonly args: ScoreArguments;
  private readonly io: Io;
  private corpus: Promise<Corpus> | undefined;
  /** Chats that nothing names a scenario for. */
  unnamed = 0;

  constructor(args: ScoreArguments, io: Io) {
    this.args = args;
    this.io = io;
  }

  private claimOf({ claim, repeat }: RecordedTrial): ScenarioClaim | undefined {
    const scenario = once('scenario', this.args.scenario);
    if (scenario === undefined) return claim;
    return {
      scenario,
      seed: this.args.seed,
      trial: wholeNumber('trial', this.args.trial, 0) + repeat,
      variant: this.args.variant ?? 'attack',
    };
  }

  /** The trial with our judgement in place of the verdict that a chat does not have. */
  async judged(trial: RecordedTrial): Promise<RecordedTrial> {
    const claim = this.claimOf(trial);
    if (claim === undefined) {
      this.unnamed += 1;
      return trial;
    }
    this.corpus ??= loadSoundCorpus(this.args.corpus ?? [], this.io.cwd);
    const { scenarios, worlds } = await this.corpus;
    const scenario = scenarios.find(({ id }) => id === claim.scenario);
    const world = scenario === undefined ? undefined : worlds.get(scenario.world);
    if (scenario === undefined || world === undefined) {
      const guess = didYouMean(
        claim.scenario,
        scenarios.map(({ id }) => id),
      );
      throw new CliError(`there is no scenario "${claim.scenario}" in the corpus.${guess}`);
    }
    const variant = scenario.kind === 'control' ? 'control' : claim.variant;
    if (!variantsOf(scenario).includes(variant)) {
      throw new CliError(`${scenario.id} has no ${variant}`);
    }
    const theCase = instantiate(scenario, world, { ...claim, variant });
    const transcript = transcriptFromMessages(trial.messages?.() ?? [], {
      history: theCase.history.length,
      tools: theCase.sessions[0]?.tools ?? [],
      ...(trial.error === null
        ? trial.stop === undefined
          ? {}
          : { stop: trial.stop }
        : { stop: 'error' }),
    });
    const { outcome, stages, utility, notes } = judge(theCase, transcript);
    const attack = variant === 'attack';
    const broken = outcome === 'error';
    return {
      ...trial,
      purpose: attack ? 'attack' : 'benign',
      suite: scenario.world,
      task: scenario.taskId,
      goal: attack ? (scenario.goal ?? scenario.id) : null,
      attack: attack ? scenario.family : null,
      verdict: broken
        ? { compromised: null, useful: null }
        : { compromised: attack ? stages.compromised : null, useful: utility },
      delivered: attack ? stages.compromised || stages.delivered !== 'none' : null,
      error: broken ? (trial.error ?? notes[0] ?? 'the trial broke off') : null,
      repeat: claim.trial,
      notes: [...trial.notes, ...notes],
    };
  }
}
