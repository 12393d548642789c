import type { Scope } from '@pab/detect';
import type { LabelledText } from '@pab/detect/evaluation';
import { CliError } from '../errors.js';

/** How the columns of a set are read. */
export interface LabelOptions {
  readonly textCol?: string | undefined;
  readonly labelCol?: string | undefined;
  /** Values that mean attack; all others are benign then. */
  readonly positive: readonly string[];
  /** What every row is, for sets without a label. */
  readonly assume?: 'attack' | 'benign' | undefined;
  /** Only rows whose column `split` has this value. */
  readonly split?: string | undefined;
  readonly scope: Scope;
}

export interface LabelledRows {
  readonly texts: readonly LabelledText[];
  /** Rows without text. */
  readonly empty: number;
  /** The values of the label, in lower case, and whether they were taken for an attack. */
  readonly labels: ReadonlyMap<string, boolean>;
  /** The values of the column `split`, where one was asked for. */
  readonly splits: ReadonlySet<string>;
}

const TEXT_COLUMNS = [
  'text',
  'prompt',
  'user_input',
  'mutated_prompt',
  'content',
  'input',
  'question',
  'message',
  'body',
  'sentence',
];
const LABEL_COLUMNS = [
  'label',
  'is_injection',
  'injection',
  'is_malicious',
  'malicious',
  'jailbreak',
  'attack',
  'type',
  'class',
  'target',
];
const ATTACK = new Set(
  'attack 1 1.0 true yes injection prompt_injection malicious jailbreak unsafe hostile positive'.split(
    ' ',
  ),
);
const BENIGN = new Set(
  'benign 0 0.0 false no legit legitimate safe clean normal ham negative none'.split(' '),
);

function columnsOf(value: unknown): Map<string, unknown> {
  if (typeof value === 'string') return new Map([['text', value]]);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  return new Map(Object.entries(value));
}

/** A cell as text; null for cells that are no scalar. */
function scalar(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function chooseColumn(
  columns: ReadonlyMap<string, unknown>,
  {
    wanted,
    known,
    flag,
  }: {
    readonly wanted: string | undefined;
    readonly known: readonly string[];
    readonly flag: string;
  },
): string {
  const names = [...columns.keys()];
  if (wanted !== undefined) {
    if (columns.has(wanted)) return wanted;
    throw new CliError(`there is no column ${wanted}; the columns are ${names.join(', ')}`);
  }
  const found = known.flatMap((name) => names.filter((column) => column.toLowerCase() === name));
  if (found[0] !== undefined) return found[0];
  const without = flag === '--label-col' ? ', or say what every row is with --assume' : '';
  throw new CliError(`no known column for ${flag}; name one of ${names.join(', ')}${without}`);
}

function isAttack(value: string, positive: ReadonlySet<string>): boolean {
  if (positive.size > 0) return positive.has(value);
  if (ATTACK.has(value)) return true;
  if (BENIGN.has(value)) return false;
  throw new CliError(
    `the label ${JSON.stringify(value.slice(0, 60))} is not known; say which value means attack with --positive`,
  );
}

/** Makes labelled texts of the rows of a set. Rows are numbered from 1. */
export function labelRows(values: readonly unknown[], options: LabelOptions): LabelledRows {
  const positive = new Set(options.positive.map((value) => value.trim().toLowerCase()));
  const texts: LabelledText[] = [];
  const labels = new Map<string, boolean>();
  const splits = new Set<string>();
  let empty = 0;
  let columns: { text: string; label: string | undefined } | undefined;
  for (const [index, value] of values.entries()) {
    const cells = columnsOf(value);
    if (options.split !== undefined) {
      const split = scalar(cells.get('split'));
      if (split !== null) splits.add(split);
      if (split !== options.split) continue;
    }
    columns ??= {
      text: chooseColumn(cells, {
        wanted: options.textCol,
        known: TEXT_COLUMNS,
        flag: '--text-col',
      }),
      label:
        options.assume === undefined
          ? chooseColumn(cells, {
              wanted: options.labelCol,
              known: LABEL_COLUMNS,
              flag: '--label-col',
            })
          : undefined,
    };
    const text = scalar(cells.get(columns.text)) ?? '';
    if (text.trim() === '') {
      empty += 1;
      continue;
    }
    let attack = options.assume === 'attack';
    if (columns.label !== undefined) {
      const label = scalar(cells.get(columns.label))?.trim().toLowerCase() ?? '';
      attack = isAttack(label, positive);
      labels.set(label, attack);
    }
    texts.push({ id: (index + 1).toString(), text, attack, scope: options.scope });
  }
  return { texts, empty, labels, splits };
}
