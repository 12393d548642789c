export interface CodeBlock {
  /** What stands after the three marks: a language, and words about it. */
  readonly info: string;
  readonly text: string;
  /** Line of the block's first line, from 1. */
  readonly line: number;
}

/** The fenced blocks of a Markdown page whose language is `language`. */
export function codeBlocks(page: string, language: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    if (open === undefined) {
      if (line.startsWith('```')) open = { info: line.slice(3), line: index + 2, lines: [] };
    } else if (line === '```') {
      const { info, lines } = open;
      if (info.split(' ')[0] === language) {
        blocks.push({ info, text: `${lines.join('\n')}\n`, line: open.line });
      }
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}

/**
 * What an example says that it prints: the comments behind its `console.log` lines, and comment lines that follow them
 * or the block that they close.
 */
export function promisedOutput(example: string): string[] {
  const promised: string[] = [];
  let after = false;
  for (const line of example.split('\n')) {
    const behind = /^\s*console\.log\(.*\);(?: \/\/ (?<said>.*))?$/.exec(line);
    const below = /^\s*\/\/ (?<said>.*)$/.exec(line);
    const said = behind?.groups?.['said'] ?? (after ? below?.groups?.['said'] : undefined);
    if (said !== undefined) promised.push(said);
    after = behind !== null || (after && (below !== null || line.trim() === '}'));
  }
  return promised;
}
