import { CliError } from './errors.js';

/**
 * Refuses a flag of one value that was given several times: which of them holds would be a guess, and a list would open
 * a gate such as `--fail-on`.
 *
 * @throws {CliError} that names the flag
 */
export function checkGivenOnce(
  args: Readonly<Record<string, unknown>>,
  lists: readonly string[],
): true {
  for (const [name, value] of Object.entries(args)) {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!Array.isArray(value) || name === '_' || name === '--') continue;
    if (lists.includes(name) || lists.includes(flag)) continue;
    throw new CliError(`--${flag} was given ${value.length} times; give it once`);
  }
  return true;
}
