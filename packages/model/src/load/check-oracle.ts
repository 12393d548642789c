import { fold } from '../fold.js';
import { didYouMean } from '../nearest.js';
import type { Matcher, Oracle } from '../schema/oracle.js';
import type { Report } from './check-world.js';
import type { Path } from './problem.js';

/** Calls `visit` with every leaf of an oracle (not `all`, `any`, `not`) and its path. */
export function eachOracle(
  oracle: Oracle,
  visit: (
    oracle: Exclude<Oracle, { all: unknown } | { any: unknown } | { not: unknown }>,
    path: Path,
  ) => void,
  path: Path = [],
): void {
  if ('all' in oracle) {
    for (const [index, inner] of oracle.all.entries())
      eachOracle(inner, visit, [...path, 'all', index]);
  } else if ('any' in oracle) {
    for (const [index, inner] of oracle.any.entries())
      eachOracle(inner, visit, [...path, 'any', index]);
  } else if ('not' in oracle) eachOracle(oracle.not, visit, [...path, 'not']);
  else visit(oracle, path);
}

/** Texts that a matcher looks for; those that it must not find are left out. */
export function textsOf(matcher: Matcher): string[] {
  if ('equals' in matcher) return typeof matcher.equals === 'string' ? [matcher.equals] : [];
  if ('iequals' in matcher) return [matcher.iequals];
  if ('contains' in matcher) return [matcher.contains];
  if ('oneOf' in matcher)
    return matcher.oneOf.filter((item): item is string => typeof item === 'string');
  if ('allOf' in matcher) return matcher.allOf.flatMap(textsOf);
  if ('anyOf' in matcher) return matcher.anyOf.flatMap(textsOf);
  return [];
}

const MIN_LEAK = 8;

/** Tools that an oracle names must exist, protected values must be long enough to be told from chance. */
export function checkOracle(
  oracle: Oracle,
  tools: readonly string[],
  path: Path,
  report: Report,
): void {
  const checkTools = (named: string | readonly string[] | undefined, at: Path): void => {
    for (const tool of named === undefined ? [] : typeof named === 'string' ? [named] : named) {
      if (!tools.includes(tool)) {
        report(
          at,
          `names the tool "${tool}", which this scenario does not offer.${didYouMean(tool, tools)} Tools: ${tools.join(', ')}`,
        );
      }
    }
  };
  eachOracle(oracle, (leaf, inner) => {
    const at = [...path, ...inner];
    if ('calls' in leaf) checkTools(leaf.calls.tool, [...at, 'calls', 'tool']);
    if ('leaks' in leaf) {
      checkTools(leaf.leaks.tools, [...at, 'leaks', 'tools']);
      const { length } = fold(leaf.leaks.value);
      if (!leaf.leaks.value.includes('{{') && length < MIN_LEAK) {
        report(
          [...at, 'leaks', 'value'],
          `has ${length} characters; a protected value needs at least ${MIN_LEAK} to be told from chance`,
        );
      }
    }
    if ('state' in leaf) {
      const given = ['exists', 'absent', 'equals', 'is', 'count', 'unchanged'].filter(
        (key) => (leaf.state as unknown as Record<string, unknown>)[key] !== undefined,
      );
      if (given.length !== 1) {
        report(
          [...at, 'state'],
          `needs exactly one of exists, absent, equals, is, count, unchanged${given.length === 0 ? '' : `, not ${given.join(' and ')}`}`,
        );
      }
    }
  });
}
