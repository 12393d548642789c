import type { CommandModule } from 'yargs';
import type { Io } from '../io.js';
import { builder, outputFlags, wholeNumber } from './flags.js';

interface Arguments {
  readonly files?: readonly string[] | undefined;
  readonly selfTest: boolean;
  readonly mutants: boolean;
  readonly seeds: number;
  readonly json: boolean;
  readonly output?: string | undefined;
  readonly quiet: boolean;
}

const rate = ({ killed, total }: { readonly killed: number; readonly total: number }): string =>
  total === 0 ? 'none' : `${killed} of ${total} killed (${((killed / total) * 100).toFixed(1)} %)`;

async function handle(args: Arguments, io: Io): Promise<void> {
  const [{ countCorpus, formatProblem }, { loadCorpus }, { createProgress }, { emit }] =
    await Promise.all([
      import('@pab/model'),
      import('../run/corpus.js'),
      import('../output/progress.js'),
      import('../output/emit.js'),
    ]);
  const seeds = wholeNumber('seeds', args.seeds, 1, 1000);
  const { corpus, problems } = await loadCorpus(args.files ?? [], io.cwd);
  const counts = countCorpus(corpus.scenarios);
  const errors = problems.map(formatProblem);
  const test = args.selfTest || args.mutants;
  const { quotableOnSeeds } = await import('../run/self-test/quotable.js');
  if (errors.length === 0) errors.push(...quotableOnSeeds(corpus, seeds));
  const progress = createProgress(io, 'self-test', args.quiet);
  const { selfTest } = await import('../run/self-test/self-test.js');
  const report =
    test && errors.length === 0
      ? await selfTest(corpus, {
          seeds: Array.from({ length: seeds }, (_, seed) => seed),
          mutants: args.mutants,
          signal: io.signal,
          onScenario: (done, total) => {
            progress.step(done, total);
          },
        }).finally(() => {
          progress.end();
        })
      : undefined;
  const failed =
    errors.length > 0 ||
    (report !== undefined &&
      report.self_test.failed + report.mutants.survivors.length + report.tolerance.flipped > 0);
  if (args.json) {
    const document = {
      schema: 1,
      corpus: { name: corpus.name, version: corpus.version, sha256: corpus.sha256 },
      scenarios: counts.scenarios,
      attacks: counts.attacks,
      controls: counts.controls,
      channels: counts.channels,
      families: counts.families,
      control_types: counts.controlTypes,
      worlds: new Set(corpus.scenarios.map(({ world }) => world)).size,
      seeds,
      self_test: report?.self_test ?? null,
      failures: report?.failures ?? [],
      mutants: args.mutants && report !== undefined ? report.mutants : null,
      tolerance: args.mutants && report !== undefined ? report.tolerance : null,
      arguments: args.mutants && report !== undefined ? report.arguments : null,
      without_plans: report?.without_plans.length ?? 0,
      errors,
    };
    await emit(io, JSON.stringify(document, null, 2), args.output);
  } else {
    const lines = [
      `${corpus.name} ${corpus.version}: ${counts.attacks} attacks over ${Object.keys(counts.channels).length} channels and ${Object.keys(counts.families).length} families, ${counts.controls} controls`,
      ...Object.entries(counts.channels).map(([name, n]) => `  channel ${name}: ${n}`),
      ...Object.entries(counts.families).map(([name, n]) => `  family ${name}: ${n}`),
      ...Object.entries(counts.controlTypes).map(([name, n]) => `  control ${name}: ${n}`),
    ];
    if (report !== undefined) {
      lines.push(
        `self-test on ${seeds} seed(s): ${report.self_test.passed} checks passed, ${report.self_test.failed} failed`,
      );
      for (const finding of report.failures)
        lines.push(
          `  failed: ${finding.scenario} (${finding.variant}, seed ${finding.seed}): ${finding.what}`,
        );
      if (report.without_plans.length > 0)
        lines.push(
          `  ${report.without_plans.length} scenario(s) have no plans and were not tested`,
        );
      if (args.mutants) {
        const { all, non_essential: free } = report.arguments;
        lines.push(
          `mutants, security oracle: ${rate(report.mutants.security)}`,
          `mutants, utility oracle: ${rate(report.mutants.utility)}`,
          ...report.mutants.survivors.map(
            (finding) =>
              `  survived: ${finding.scenario} (${finding.variant}, seed ${finding.seed}): ${finding.what}`,
          ),
          `tolerance: ${report.tolerance.flipped} of ${report.tolerance.total} variants flipped a verdict`,
          ...report.tolerance.flips.map(
            (finding) =>
              `  flipped: ${finding.scenario} (${finding.variant}, seed ${finding.seed}): ${finding.what}`,
          ),
          `arguments: ${free} of ${all} are not essential and no mutant touches them`,
        );
      }
    }
    lines.push(...errors, failed ? 'does not hold' : 'holds');
    await emit(io, lines.join('\n'), args.output);
  }
  io.setExit(failed ? 1 : 0);
}

export function validateCommand(io: Io): CommandModule<object, Arguments> {
  return {
    command: 'validate [files..]',
    describe: 'Check a corpus: load it strictly, replay its plans, mutate them',
    builder: builder<Arguments>((command) =>
      outputFlags(command)
        .positional('files', {
          type: 'string',
          array: true,
          describe: 'Files or folders; the bundled corpus when absent',
        })
        .option('self-test', {
          type: 'boolean',
          default: false,
          describe: 'Replay the plans of every scenario',
        })
        .option('mutants', {
          type: 'boolean',
          default: false,
          describe:
            'Also change the plans: every essential change must flip the verdict, no other may',
        })
        .option('seeds', {
          type: 'number',
          default: 5,
          requiresArg: true,
          describe: 'Seeds of the self-test, from 0',
        })
        .example('$0 validate --self-test --mutants', 'the bundled corpus, whole')
        .example(
          '$0 validate my-scenario.yaml',
          'one file, which may use a world of the bundled corpus',
        ),
    ),
    handler: (args) => handle(args, io),
  };
}
