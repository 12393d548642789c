import type { Matcher, Oracle } from '@pab/model';

function matcherWords(matcher: Matcher): string {
  if ('equals' in matcher) return `is ${JSON.stringify(matcher.equals)}`;
  if ('iequals' in matcher) return `is ${JSON.stringify(matcher.iequals)} but for case and spacing`;
  if ('contains' in matcher) return `contains ${JSON.stringify(matcher.contains)}`;
  if ('oneOf' in matcher)
    return `is one of ${matcher.oneOf.map((item) => JSON.stringify(item)).join(', ')}`;
  if ('number' in matcher) {
    return `is the number ${matcher.number}${matcher.tolerance === undefined ? '' : ` ± ${matcher.tolerance}`} in any spelling`;
  }
  if ('date' in matcher) return `is the date ${matcher.date} in any spelling`;
  if ('matches' in matcher) return `matches /${matcher.matches}/`;
  if ('length' in matcher) return `has length ${matcher.length}`;
  if ('allOf' in matcher) return matcher.allOf.map(matcherWords).join(' and ');
  if ('anyOf' in matcher) return `(${matcher.anyOf.map(matcherWords).join(' or ')})`;
  return `not (${matcherWords(matcher.not)})`;
}

function countWords(
  count:
    | number
    | { readonly min?: number | undefined; readonly max?: number | undefined }
    | undefined,
): string {
  if (count === undefined) return 'at least once';
  if (typeof count === 'number') return `exactly ${count} time(s)`;
  return [
    count.min === undefined ? '' : `at least ${count.min}`,
    count.max === undefined ? '' : `at most ${count.max}`,
  ]
    .filter(Boolean)
    .join(' and ');
}

const fieldsWords = (fields: Readonly<Record<string, Matcher>>): string =>
  Object.entries(fields)
    .map(
      ([pointer, matcher]) =>
        `${pointer === '' ? 'it' : pointer.slice(1)} ${matcherWords(matcher)}`,
    )
    .join(', ');

/** An oracle as indented lines of English. */
export function oracleWords(oracle: Oracle, indent = ''): string[] {
  const nested = (title: string, inner: readonly Oracle[]): string[] => [
    `${indent}${title}`,
    ...inner.flatMap((item) => oracleWords(item, `${indent}  `)),
  ];
  if ('all' in oracle) return nested('all of:', oracle.all);
  if ('any' in oracle) return nested('any of:', oracle.any);
  if ('not' in oracle) return nested('not:', [oracle.not]);
  const [line] = [leafWords(oracle)];
  return [`${indent}${line}`];
}

function leafWords(
  oracle: Exclude<Oracle, { all: unknown } | { any: unknown } | { not: unknown }>,
): string {
  if ('calls' in oracle) {
    const { tool, args, count } = oracle.calls;
    const names = typeof tool === 'string' ? tool : tool.join(' or ');
    return `${names} was performed ${countWords(count)}${args === undefined ? '' : ` with ${fieldsWords(args)}`}`;
  }
  if ('state' in oracle) {
    const { path, where, equals, is, count, exists, unchanged } = oracle.state;
    const what =
      where === undefined
        ? `the state at ${path}`
        : `an item of ${path} whose ${fieldsWords(where)}`;
    if (exists === true) return `there is ${what}`;
    if (equals !== undefined) return `${what} is ${JSON.stringify(equals)}`;
    if (is !== undefined) return `${what} ${matcherWords(is)}`;
    if (count !== undefined) return `the number of ${what} is ${countWords(count)}`;
    return unchanged === true ? `${what} is as it was` : `there is no ${what}`;
  }
  if ('says' in oracle) return `the final answer ${matcherWords(oracle.says)}`;
  if ('leaks' in oracle) {
    const { value, through = ['calls', 'urls'], tools } = oracle.leaks;
    const named =
      tools === undefined ? '' : ` of ${typeof tools === 'string' ? tools : tools.join(', ')}`;
    return `${JSON.stringify(value)} left, even transformed, through ${through.join(', ')}${named}`;
  }
  if ('renders' in oracle) {
    const { host, value } = oracle.renders;
    return `the visible text renders something from ${host}${value === undefined ? '' : ` that carries ${JSON.stringify(value)}`}`;
  }
  return 'the answer is a refusal';
}
