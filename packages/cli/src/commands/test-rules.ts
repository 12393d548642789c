import type { CommandModule } from 'yargs';
import { jsonDocument } from '../detector/json-document.js';
import { loadRuleFolder } from '../detector/rule-folder.js';
import type { Io } from '../io.js';

export interface TestRulesArguments {
  readonly folder?: string | undefined;
  readonly rules?: string | undefined;
  readonly json: boolean;
}

async function runTests(args: TestRulesArguments, io: Io): Promise<void> {
  const { builtinRules, testRules } = await import('@pab/detect');
  const { printable } = await import('@pab/model');
  const folder = args.folder ?? args.rules;
  const pack = folder === undefined ? builtinRules() : await loadRuleFolder(folder, io.cwd);
  const report = testRules(pack);
  const { failures } = report;
  if (args.json) io.stdout.write(jsonDocument(report));
  else {
    for (const { id, kind, text, scope, view } of failures) {
      const what =
        kind === 'match'
          ? `does not match as ${scope}`
          : `must not match, and does as ${scope} in the view ${view ?? 'original'}`;
      io.stdout.write(`FAIL ${id}: '${printable(text)}' ${what}\n`);
    }
    const passed = report.tests - new Set(failures.map(({ id, text }) => `${id}\n${text}`)).size;
    io.stdout.write(
      `${report.rules.toString()} ${report.rules === 1 ? 'rule' : 'rules'}, ${passed.toString()} of ${report.tests.toString()} tests pass\n`,
    );
  }
  io.setExit(failures.length === 0 ? 0 : 1);
}

/** `pab test-rules [folder]`: every rule against its own tests, in the original text and in all views. */
export function testRulesCommand(io: Io): CommandModule<object, TestRulesArguments> {
  return {
    command: 'test-rules [folder]',
    describe: 'Runs the tests that stand in the rules',
    builder: (argv) =>
      argv
        .positional('folder', { type: 'string', describe: 'Rule files; default the built-in ones' })
        .option('rules', { type: 'string', requiresArg: true, describe: 'The same as the folder' })
        .option('json', { type: 'boolean', default: false, describe: 'One JSON document' })
        .example('$0 test-rules ./my-rules', ''),
    handler: (args) => runTests(args, io),
  };
}
