import type { Rule, WrittenRule } from '@pab/detect';
import type { CommandModule } from 'yargs';
import { jsonDocument } from '../detector/json-document.js';
import { loadRuleFolder, readBuiltinFiles, readRuleFolder } from '../detector/rule-folder.js';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

export interface RulesArguments {
  readonly id?: string | undefined;
  readonly rules?: string | undefined;
  readonly json: boolean;
}

function line({ id, severity, confidence, status, scope, title, enabled }: Rule): string {
  const state = enabled ? status : 'disabled';
  return [
    id.padEnd(10),
    severity.padEnd(14),
    confidence.toFixed(2).padEnd(5),
    state.padEnd(13),
    scope.join(',').padEnd(19),
    title.replaceAll(/\s+/gu, ' '),
  ].join(' ');
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `  - ${item}`)];
}

/** Patterns as they are written, which are shorter than those that are matched, where the files are there. */
function describe(rule: Rule, written: WrittenRule | undefined): string {
  return [
    `${rule.id}  ${rule.title.replaceAll(/\s+/gu, ' ')}`,
    rule.description.trim(),
    `severity ${rule.severity}, confidence ${rule.confidence}, ${rule.status}, scope ${rule.scope.join(', ')}`,
    `tags ${[...rule.tags.atlas, ...rule.tags.owasp].join(', ')}`,
    ...Object.entries(rule.detection.selections).flatMap(([name, { patterns, all }]) =>
      list(`${name} (${all ? 'all of' : 'any of'})`, written?.selections[name] ?? patterns),
    ),
    ...list(
      'words',
      Object.entries(written?.words ?? {}).map(([name, value]) => `{{${name}}} ${value}`),
    ),
    ...list('false positives', rule.falsepositives),
    ...list('references', rule.references),
    ...list('must match', rule.tests.match),
    ...list('must not match', rule.tests.noMatch),
  ].join('\n');
}

async function rules(args: RulesArguments, io: Io): Promise<void> {
  const { builtinRules, writtenRule } = await import('@pab/detect');
  const { didYouMean, printable } = await import('@pab/model');
  const pack = args.rules === undefined ? builtinRules() : await loadRuleFolder(args.rules, io.cwd);
  const wanted = args.id?.toUpperCase();
  const shown =
    wanted === undefined ? pack.rules : pack.rules.filter(({ id }) => id.toUpperCase() === wanted);
  if (args.id !== undefined && shown.length === 0) {
    const known = pack.rules.map(({ id }) => id);
    throw new CliError(`there is no rule ${args.id}.${didYouMean(args.id, known)}`);
  }
  if (args.json) {
    io.stdout.write(jsonDocument(args.id === undefined ? shown : shown[0]));
    return;
  }
  const described = async (rule: Rule): Promise<string> => {
    const files = await (args.rules === undefined
      ? readBuiltinFiles()
      : readRuleFolder(args.rules, io.cwd));
    return describe(rule, writtenRule(files, rule.id));
  };
  const [one] = shown;
  const text =
    args.id === undefined || one === undefined ? shown.map(line).join('\n') : await described(one);
  io.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}

/** `pab rules [id]`: the rules in force, or one of them in full. */
export function rulesCommand(io: Io): CommandModule<object, RulesArguments> {
  return {
    command: 'rules [id]',
    describe: 'Lists the rules of the detector, or shows one in full',
    builder: (argv) =>
      argv
        .positional('id', { type: 'string', describe: 'Rule id, e.g. PI-001' })
        .option('rules', {
          type: 'string',
          requiresArg: true,
          describe: 'Folder of rule files in place of the built-in ones',
        })
        .option('json', { type: 'boolean', default: false, describe: 'One JSON document' })
        .example('$0 rules PI-001', ''),
    handler: (args) => rules(args, io),
  };
}
