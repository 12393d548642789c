import type * as z from 'zod';
import { isObject, own } from '../json.js';
import { didYouMean } from '../nearest.js';
import type { Document } from './document.js';
import { problemAt } from './document.js';
import type { Path, Problem } from './problem.js';

type Issue = z.core.$ZodIssue;

function valueAt(value: unknown, path: Path): unknown {
  let at: unknown = value;
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at)) at = own(at, String(step));
    else return undefined;
  }
  return at;
}

/** `a string`, `a list` …, as people call what YAML and JSON hold. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return (
    { string: 'text', number: 'a number', boolean: 'true or false' }[typeof value as string] ??
    typeof value
  );
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  unknown: 'any JSON value',
};

/** Of the branches of a union, the one that the author most likely meant; undefined when none stands out. */
function likelyBranch(issue: Issue & { code: 'invalid_union' }): readonly Issue[] | undefined {
  const candidates = issue.errors.filter(
    (branch) =>
      !branch.some(
        (inner) =>
          inner.path.length === 0 ||
          (inner.path.length === 1 && inner.code === 'invalid_type' && inner.input === undefined),
      ),
  );
  return candidates.toSorted(
    (a, b) => Math.max(...b.map((i) => i.path.length)) - Math.max(...a.map((i) => i.path.length)),
  )[0];
}

function unionKeys(issue: Issue & { code: 'invalid_union' }): string[] {
  const keys = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) =>
      inner.path.length === 1 && typeof inner.path[0] === 'string' ? [inner.path[0]] : [],
    ),
  );
  return [...new Set(keys)];
}

function describeIssue(issue: Issue, root: unknown, path: Path, known: readonly string[]): string {
  const found = valueAt(root, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `unknown key "${key}".${didYouMean(key, known)}`).join(' ');
    case 'invalid_type': {
      const expected = EXPECTED[issue.expected] ?? issue.expected;
      if (found === undefined) return `is missing; it takes ${expected}`;
      const hint =
        issue.expected === 'string' && isObject(found)
          ? '; a text with ": " in it needs quotes in YAML'
          : issue.expected === 'string'
            ? '; put it in quotes'
            : '';
      return `must be ${expected}, not ${kindOf(found)}${hint}`;
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      if (found === undefined) return `is missing; it takes one of ${values.join(', ')}`;
      const guess = typeof found === 'string' ? didYouMean(found, values) : '';
      return `${JSON.stringify(found).slice(0, 80)} is not one of ${values.join(', ')}.${guess}`;
    }
    case 'too_small':
      return issue.origin === 'array'
        ? `needs at least ${String(issue.minimum)} item(s)`
        : issue.origin === 'string'
          ? 'must not be empty'
          : `must be at least ${String(issue.minimum)}`;
    case 'invalid_union': {
      const keys = unionKeys(issue);
      if (found === undefined) return 'is missing';
      if (isObject(found) && keys.length > 0) {
        const key = Object.keys(found).find((name) => !keys.includes(name));
        const guess = key === undefined ? '' : didYouMean(key, keys);
        return `takes exactly one of ${keys.join(', ')}.${guess}`;
      }
      return `is ${kindOf(found)}, which does not fit here`;
    }
    default:
      return issue.message;
  }
}

/** Every issue of a failed parse as a problem with its place; unions are followed to the branch that was meant. */
export function problemsOf(
  error: z.ZodError,
  document: Document,
  { at = [], known }: { readonly at?: Path; readonly known: readonly string[] },
): Problem[] {
  const root = valueAt(document.value, at);
  const problems: Problem[] = [];
  const visit = (issue: Issue, base: Path): void => {
    const path = [
      ...base,
      ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step)),
    ];
    if (issue.code === 'invalid_union') {
      const branch = likelyBranch(issue);
      if (branch !== undefined) {
        for (const inner of branch) visit(inner, path);
        return;
      }
    }
    const target = issue.code === 'unrecognized_keys' ? [...path, issue.keys[0] ?? ''] : path;
    problems.push(
      problemAt(
        document,
        [...at, ...target],
        describeIssue(issue, root, path, known),
        issue.code === 'unrecognized_keys' ? 'key' : 'value',
      ),
    );
  };
  for (const issue of error.issues) visit(issue, []);
  return problems;
}
