import { describe, expect, it } from 'vitest';
import { withConstants } from '../module-constants.js';

describe('withConstants', () => {
  it('makes constants of what nothing is assigned to, without moving what stands behind', () => {
    const code = 'var A = 1;\nvar F = class {};\nfunction f() { return A; }\nexport { f, F };\n';
    const made = withConstants(code);
    expect(made).toBe(
      'const A=1;\nconst F=class {};\nfunction f() { return A; }\nexport { f, F };\n',
    );
    expect(made.length).toBe(code.length);
  });

  it.each([
    'A = 2;',
    'A++;',
    'A ??= 2;',
    'export function g() { [A] = [2]; }',
    'export function g() { ({ a: A } = { a: 2 }); }',
    'for (A of [2]) ;',
    'for (A in {}) ;',
  ])('leaves a variable that changes as it is: %s', (change) => {
    const code = `var A = 1;\n${change}\n`;
    expect(withConstants(code)).toBe(code);
  });

  it('leaves variables without a value, of patterns, side by side and of functions', () => {
    const code =
      'var a;\nvar { b } = {};\nvar c = 1, d = 2;\nfunction f() { var e = 1; return e; }\n';
    expect(withConstants(code)).toBe(code);
  });
});
