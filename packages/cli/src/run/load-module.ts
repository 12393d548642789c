import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { CliError } from '../errors.js';
import { isFileSpec, type Spec } from './spec.js';

/**
 * The default export of somebody's module: a file (TypeScript too) or an npm package of the working folder. Undefined when
 * the name is neither.
 */
export async function loadDefault(spec: Spec, cwd: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(join(cwd, 'pab-loads-from-here.js'), { interopDefault: false });
  let file: string;
  if (isFileSpec(spec)) {
    file = isAbsolute(spec.name) ? spec.name : resolve(cwd, spec.name);
    if ((await stat(file).catch(() => undefined)) === undefined) {
      throw new CliError(
        `there is no file ${spec.name}; a file is named relative to the folder that you are in`,
      );
    }
  } else {
    if (!/^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?$/.test(spec.name)) return undefined;
    try {
      file = createRequire(join(cwd, 'package.json')).resolve(spec.name);
    } catch {
      try {
        file = jiti.esmResolve(spec.name);
      } catch {
        return undefined;
      }
    }
  }
  let loaded: unknown;
  try {
    loaded = await jiti.import(file);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`${spec.name} cannot be loaded: ${message}`, { cause });
  }
  const made = (loaded as { default?: unknown } | undefined)?.default;
  if (made === undefined)
    throw new CliError(
      `${spec.name} has no default export; export default a defense, a target, or a function that makes one`,
    );
  return made;
}
