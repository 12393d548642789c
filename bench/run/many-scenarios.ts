import { readFile } from 'node:fs/promises';
import { bundledCorpusFile } from '@pab/cli/run';

interface Line {
  readonly scenario?: { readonly id: string; readonly matches?: string };
}

/** The compiled corpus, its scenarios repeated under other ids until there are `count` of them. */
export async function manyScenarios(count: number): Promise<string> {
  const lines = (await readFile(bundledCorpusFile(), 'utf8')).trim().split('\n');
  const parsed = lines.map((text) => ({ text, line: JSON.parse(text) as Line }));
  const scenarios = parsed.flatMap(({ line }) => (line.scenario === undefined ? [] : [line]));
  if (scenarios.length === 0) throw new RangeError('the bundled corpus has no scenario');
  const out = parsed.flatMap(({ text, line }) => (line.scenario === undefined ? [text] : []));
  // Whole rounds, so that the partner of a matched control is always there; what is too much comes off the unmatched end.
  const rounds = Math.ceil(count / scenarios.length);
  const copies = Array.from({ length: rounds }, (_, round) =>
    scenarios.map((line) => {
      const { id, matches, ...rest } = line.scenario ?? { id: '' };
      const named = matches === undefined ? {} : { matches: `${matches}-r${round}` };
      return { ...line, scenario: { ...rest, ...named, id: `${id}-r${round}` } };
    }),
  ).flat();
  const wanted = new Set(copies.flatMap(({ scenario }) => scenario.matches ?? []));
  let tooMany = copies.length - count;
  const kept = copies.toReversed().filter(({ scenario }) => {
    if (tooMany === 0 || wanted.has(scenario.id)) return true;
    tooMany -= 1;
    return false;
  });
  return `${[...out, ...kept.map((line) => JSON.stringify(line))].join('\n')}\n`;
}
