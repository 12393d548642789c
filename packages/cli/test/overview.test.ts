import { describe, expect, it } from 'vitest';
import { pab } from './surroundings.js';

describe('what is shown without loading what it does not need', () => {
  it.each([80, 100])(
    'is the same help as the parser would write, at %i columns',
    async (columns) => {
      const help = async (...argv: readonly string[]): Promise<string> => {
        let text = '';
        const write = (more: string) => {
          text += more;
        };
        await pab([...argv], { stdout: { write, columns } });
        return text;
      };
      const overview = await help('--help');
      expect(overview).toContain('pab run');
      expect(overview).toBe(await help('--help', '--color'));
      expect(await help('-h')).toBe(overview);
    },
  );

  it('is the same listing as from the checked corpus', async () => {
    const whole = ['--kind', 'attack,control'];
    expect((await pab(['list'])).stdout).toBe((await pab(['list', ...whole])).stdout);
    expect((await pab(['list', '--json'])).stdout).toBe(
      (await pab(['list', '--json', ...whole])).stdout,
    );
  });
});
