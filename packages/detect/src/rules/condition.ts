/**
 * When a rule fires, over the names of its selections.
 *
 * `not` is local: in `a and not b` a match of `a` is dropped when a match of `b` overlaps it.
 * It never exempts another match, so text written elsewhere cannot switch a rule off.
 */
export type Condition =
  | { readonly kind: 'selection'; readonly name: string }
  | { readonly kind: 'and'; readonly all: readonly Condition[]; readonly not: readonly string[] }
  | { readonly kind: 'or'; readonly any: readonly Condition[] };

/** What is wrong with a condition, and where in it (UTF-16 offset). */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface Token {
  readonly text: string;
  readonly offset: number;
}

type Parsed = { readonly positive: Condition } | { readonly negated: readonly string[] };

const MAX_DEPTH = 32;

/** Parses Sigma's condition language: names, `and`, `or`, `not`, `1 of`, `all of`, `them`, `name*`. */
export function parseCondition(source: string, names: readonly string[]): Condition {
  const tokens = tokenize(source);
  const known = new Set(names);
  let at = 0;
  const end: Token = { text: '', offset: source.length };
  const peek = (): Token => tokens[at] ?? end;
  const fail = (message: string, token: Token): never => {
    throw new ConditionError(message, token.offset);
  };

  function parseOr(depth: number): Parsed {
    const first = parseAnd(depth);
    if (peek().text !== 'or') return first;
    const any: Condition[] = [positive(first, peek())];
    while (peek().text === 'or') {
      at++;
      const token = peek();
      any.push(positive(parseAnd(depth), token));
    }
    return { positive: { kind: 'or', any } };
  }

  function parseAnd(depth: number): Parsed {
    const start = peek();
    const parts = [parseNot(depth)];
    while (peek().text === 'and') {
      at++;
      parts.push(parseNot(depth));
    }
    if (parts.length === 1 && parts[0]) return parts[0];
    const all = parts.flatMap((part) => ('positive' in part ? [part.positive] : []));
    const not = parts.flatMap((part) => ('negated' in part ? part.negated : []));
    if (all.length === 0)
      fail('`not` needs something to take away from: write `name and not other`', start);
    return { positive: { kind: 'and', all, not } };
  }

  function parseNot(depth: number): Parsed {
    const token = peek();
    if (token.text !== 'not') return parseAtom(depth);
    at++;
    const inner = parseAtom(depth);
    if ('negated' in inner) return fail('`not not` has no meaning here', token);
    return { negated: leaves(inner.positive, token) };
  }

  function leaves(condition: Condition, token: Token): readonly string[] {
    if (condition.kind === 'selection') return [condition.name];
    if (condition.kind === 'or') return condition.any.flatMap((part) => leaves(part, token));
    return fail(
      '`not` takes selections joined by `or`, since each takes matches away by itself',
      token,
    );
  }

  function parseAtom(depth: number): Parsed {
    if (depth > MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH} parentheses`, peek());
    const token = peek();
    at++;
    if (token.text === '(') {
      const inner = parseOr(depth + 1);
      if (peek().text !== ')') fail('a `)` is missing', peek());
      at++;
      return inner;
    }
    if ((token.text === '1' || token.text === 'all') && peek().text === 'of') {
      at++;
      const target = peek();
      at++;
      const found = expand(target);
      const parts = found.map((name): Condition => ({ kind: 'selection', name }));
      const [only] = parts;
      if (parts.length === 1 && only) return { positive: only };
      return {
        positive:
          token.text === '1' ? { kind: 'or', any: parts } : { kind: 'and', all: parts, not: [] },
      };
    }
    if (!known.has(token.text)) {
      const what =
        token.text === ''
          ? 'the condition ends too early'
          : `no selection is named "${token.text}"`;
      fail(`${what}; there are: ${names.join(', ')}`, token);
    }
    return { positive: { kind: 'selection', name: token.text } };
  }

  function expand(target: Token): readonly string[] {
    if (target.text === 'them') return names.filter((name) => !name.startsWith('_'));
    const found = target.text.endsWith('*')
      ? names.filter((name) => name.startsWith(target.text.slice(0, -1)))
      : names.filter((name) => name === target.text);
    if (found.length === 0)
      fail(`no selection matches "${target.text}"; there are: ${names.join(', ')}`, target);
    return found;
  }

  function positive(parsed: Parsed, token: Token): Condition {
    if ('positive' in parsed) return parsed.positive;
    return fail('`not` needs something to take away from: write `name and not other`', token);
  }

  const parsed = parseOr(0);
  if (at < tokens.length) fail(`"${peek().text}" was not expected here`, peek());
  return positive(parsed, tokens[0] ?? end);
}

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of source.matchAll(/[()]|[^\s()]+/g)) {
    const text = match[0];
    const lower = text.toLowerCase();
    const keyword = ['and', 'or', 'not', 'of', 'all', 'them'].includes(lower);
    tokens.push({ text: keyword ? lower : text, offset: match.index });
  }
  return tokens;
}
