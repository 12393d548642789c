import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimize } from '../../src/classifier/lbfgs.js';

describe('minimize', () => {
  it('finds the minimum of any diagonal quadratic', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.double({ min: 0.1, max: 100, noNaN: true }),
            fc.double({ min: -10, max: 10, noNaN: true }),
          ),
          { minLength: 1, maxLength: 12 },
        ),
        (terms) => {
          const { point } = minimize(
            (at, gradient) =>
              terms.reduce((sum, [scale, center], index) => {
                const off = (at[index] ?? 0) - center;
                gradient[index] = 2 * scale * off;
                return sum + scale * off * off;
              }, 0),
            new Float64Array(terms.length),
            { goal: 1e-8, maxIterations: 1_000 },
          );
          const slope = Math.max(...terms.map(([scale, center]) => Math.abs(2 * scale * center)));
          for (const [index, [scale, center]] of terms.entries()) {
            expect(Math.abs((point[index] ?? 0) - center) * scale).toBeLessThan(1e-5 * (1 + slope));
          }
        },
      ),
    );
  });

  it('walks the curved valley of Rosenbrock', () => {
    const { point } = minimize(
      (at, gradient) => {
        const x = at[0] ?? 0;
        const y = at[1] ?? 0;
        gradient[0] = -2 * (1 - x) - 400 * x * (y - x * x);
        gradient[1] = 200 * (y - x * x);
        return (1 - x) ** 2 + 100 * (y - x * x) ** 2;
      },
      Float64Array.of(-1.2, 1),
      { goal: 1e-10, maxIterations: 2_000 },
    );
    expect(point[0]).toBeCloseTo(1, 5);
    expect(point[1]).toBeCloseTo(1, 5);
  });
});
