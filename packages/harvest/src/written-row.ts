import { digestOf } from './duplicates/ledger.js';
import { normaliseText } from './normalise.js';
import type { Place } from './row.js';
import type { ScenarioUnit, TextUnit } from './unit.js';

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

export function placeFields({ file, line, path, row }: Place): Record<string, unknown> {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(path === undefined ? {} : { path }),
    ...(row === undefined ? {} : { row }),
  };
}

/** JSON of a row, but for its last brace: what is known only at the end is put behind. */
export function openRow(
  unit: TextUnit,
  text: string,
  digest: Uint8Array,
  revision: string | null,
): string {
  const { id, label, source, licence, reason, meta } = unit.text;
  const json = JSON.stringify({
    id,
    text,
    label,
    source,
    ...(licence === undefined ? {} : { licence }),
    ...(revision === null ? {} : { revision }),
    ...placeFields(unit.place),
    sha256: hex(digest),
    ...(reason === undefined ? {} : { reason }),
    ...(unit.notes === undefined ? {} : { notes: unit.notes }),
    meta,
  });
  return json.slice(0, -1);
}

/** The same for the index of scenarios, which carries what has no place in a scenario. */
export function openIndexRow(unit: ScenarioUnit, revision: string | null): string {
  const { scenario } = unit;
  const json = JSON.stringify({
    id: scenario.id,
    goal: scenario.goal ?? null,
    ...(scenario.licence === undefined ? {} : { licence: scenario.licence }),
    ...(revision === null ? {} : { revision }),
    ...placeFields(unit.place),
    sha256: hex(digestOf(JSON.stringify(scenario))),
    ...(unit.notes === undefined ? {} : { notes: unit.notes }),
  });
  return json.slice(0, -1);
}

/** The hostile texts of a scenario: what its near duplicates are told by. */
export function scenarioText({ scenario }: ScenarioUnit): string {
  const payloads = scenario.injections.map(({ payload }) => payload);
  return normaliseText(
    payloads.length > 0 ? payloads.join('\n') : (scenario.task.pasted ?? scenario.title),
  );
}
