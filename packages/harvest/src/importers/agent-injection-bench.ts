import { fromInjectionBench, looksLikeInjectionBench } from '@pab/model';
import { readRows } from '../readers/read-rows.js';
import { reject } from '../row.js';
import type { Unit } from '../unit.js';
import { type ImportContext, type Importer, refuse } from './importer.js';
import { scenarioMaker } from './scenario-maker.js';

async function* units(context: ImportContext): AsyncGenerator<Unit> {
  const maker = scenarioMaker();
  const seen = new Set<string>();
  for await (const item of readRows(context.source, context.read)) {
    if (item.kind === 'reject') {
      yield item;
      continue;
    }
    const converted = fromInjectionBench(item.value);
    if ('problems' in converted) {
      const [problem] = converted.problems;
      const where =
        problem === undefined || problem.path.length === 0 ? '' : `${problem.path.join('.')}: `;
      yield refuse(
        item.place,
        `${where}${problem?.message ?? 'not a line of this format'}`,
        item.value,
      );
      continue;
    }
    const unit = maker.make(
      converted.scenario,
      maker.world(converted.world),
      item.place,
      item.notes,
    );
    if (unit.kind === 'scenario' && seen.has(unit.scenario.id)) {
      yield reject(item.place, `the id "${unit.scenario.id}" stands in the file twice`);
      continue;
    }
    if (unit.kind === 'scenario') seen.add(unit.scenario.id);
    yield unit;
  }
}

/** agent-injection-bench: its lines are scenarios as they stand. */
export const agentInjectionBench: Importer = {
  name: 'agent-injection-bench',
  title: 'agent-injection-bench',
  url: 'https://github.com/sentinelden/agent-injection-bench',
  licence: () => null,
  recognises: ({ rows }) => rows.some((row) => looksLikeInjectionBench(row)),
  units,
};
