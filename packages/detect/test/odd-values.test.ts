import { describe, expect, it } from 'vitest';
import { DetectError } from '../src/errors.js';
import { builtinRules } from '../src/rules/builtin-rules.js';
import { Scanner } from '../src/scanner.js';
import { testRules } from '../src/test-rules.js';

const scanner = new Scanner();
const [rule] = builtinRules().rules;

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return DetectError.is(error) ? error.code : String(error);
  }
  return 'taken';
}

function withRule(part: object): () => unknown {
  return () => new Scanner({ rules: [{ ...rule, ...part } as never] });
}

describe('a list with holes', () => {
  // Its holes are `undefined` to whoever reads them, and are passed over by `every`.
  const holes: string[] = [];
  holes.length = 3;

  it.each(['canaries', 'suppliedUrls', 'conversationValues'])('is refused as %s', (name) => {
    expect(holes).toHaveLength(3);
    const options = { [name]: holes };
    expect(codeOf(() => scanner.scanOutput('x', options))).toBe('bad-option');
    expect(codeOf(() => scanner.stream(options))).toBe('bad-option');
  });

  it('is refused as trusted domains, and as canaries of a prompt', () => {
    expect(codeOf(() => new Scanner({ trustedDomains: holes }))).toBe('bad-option');
    expect(codeOf(() => scanner.scan('x', { canaries: holes }))).toBe('bad-option');
  });

  it('is refused anywhere in a rule', () => {
    const detection = rule?.detection;
    expect(codeOf(withRule({ scope: holes }))).toBe('bad-option');
    expect(codeOf(withRule({ tests: { match: holes, noMatch: [] } }))).toBe('bad-option');
    const condition = { kind: 'or', any: holes };
    expect(codeOf(withRule({ detection: { ...detection, condition } }))).toBe('bad-option');
    expect(codeOf(() => testRules([{ ...rule, scope: holes } as never]))).toBe('bad-option');
  });
});

describe('a rule made by a program', () => {
  it('is refused when something in it holds itself', () => {
    const related: unknown[] = [];
    related.push(related);
    const author = { of: {} };
    author.of = author;
    expect(codeOf(withRule({ related }))).toBe('bad-option');
    expect(codeOf(withRule({ author }))).toBe('bad-option');
    const other = new Scanner();
    expect(codeOf(() => other.reload([{ ...rule, author } as never]))).toBe('bad-option');
  });

  it('is refused when it is nested deeper than any rule', () => {
    let author: object = {};
    for (let depth = 0; depth < 100_000; depth += 1) author = { author };
    expect(codeOf(withRule({ author }))).toBe('bad-option');
  });

  it('may hold one object in many places', () => {
    let author: object = {};
    for (let depth = 0; depth < 60; depth += 1) author = { one: author, other: author };
    expect(codeOf(withRule({ author }))).toBe('taken');
  });

  it('is refused with a status that cannot be written out', () => {
    expect(codeOf(withRule({ status: Object.create(null) as unknown }))).toBe('bad-option');
    expect(codeOf(withRule({ status: ['stable'] }))).toBe('bad-option');
  });
});
