/** A command as the overview shows it. */
export interface Listed {
  readonly command: string;
  readonly describe: string;
}

export const USAGE =
  'pab <command> [flags]\n\nMeasures what a prompt injection does to a tool-calling agent, and what a defense buys.';

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const OPTIONS = [
  ['  -h, --help     Show help', '[boolean]'],
  ['      --version  Version of this tool', '[boolean]'],
] as const;

/**
 * What `pab --help` shows, in the layout of the help that every command has. Written here because it is the first thing that anybody
 * runs, and the parser that would write it takes longer to load than all the rest.
 */
export function overviewText(commands: readonly Listed[], width: number): string {
  const named = commands.map(({ command, describe }) => ({ name: `  pab ${command}`, describe }));
  const column = Math.max(...named.map(({ name }) => name.length)) + 2;
  const rows = named.flatMap(({ name, describe }) =>
    wrapped(describe, width - column).map(
      (line, index) => `${(index === 0 ? name : '').padEnd(column)}${line}`,
    ),
  );
  return [
    ...USAGE.split('\n').flatMap((line) => wrapped(line, width)),
    '',
    'Commands:',
    ...rows,
    '',
    'Options:',
    ...OPTIONS.map(([name, kind]) => name.padEnd(width - kind.length) + kind),
    '',
  ].join('\n');
}
