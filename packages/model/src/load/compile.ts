import { digest, digestText } from '../digest.js';
import { canonicalJson } from '../json.js';
import type { Scenario } from '../schema/scenario.js';
import type { World } from '../schema/world.js';

/** What a corpus holds; the counts and the digest that official numbers name. */
export interface CorpusManifest {
  readonly schema: 1;
  readonly name: string;
  readonly version: string;
  /** SHA-256 (hex) of the compiled file's bytes. */
  readonly sha256: string;
  readonly scenarios: number;
  readonly attacks: number;
  readonly controls: number;
  readonly channels: Readonly<Record<string, number>>;
  readonly families: Readonly<Record<string, number>>;
  readonly controlTypes: Readonly<Record<string, number>>;
  /** Digest of each world. */
  readonly worlds: Readonly<Record<string, string>>;
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function counts(values: Iterable<string | undefined>): Record<string, number> {
  const held = new Map<string, number>();
  for (const value of values) {
    if (value !== undefined) held.set(value, (held.get(value) ?? 0) + 1);
  }
  return Object.fromEntries([...held].toSorted(([a], [b]) => byCodeUnit(a, b)));
}

export function countCorpus(
  scenarios: readonly Scenario[],
): Pick<
  CorpusManifest,
  'scenarios' | 'attacks' | 'controls' | 'channels' | 'families' | 'controlTypes'
> {
  const attacks = scenarios.filter(({ kind }) => kind === 'attack');
  return {
    scenarios: scenarios.length,
    attacks: attacks.length,
    controls: scenarios.length - attacks.length,
    channels: counts(attacks.map(({ channel }) => channel)),
    families: counts(attacks.map(({ family }) => family)),
    controlTypes: counts(scenarios.map(({ controlType }) => controlType)),
  };
}

/**
 * Compiles a corpus to JSON Lines: a header, the worlds in use (once each, with their digest), and the scenarios in order of id, each
 * with the digest of its world. The same corpus gives the same bytes.
 */
export function compile({
  name,
  version,
  scenarios,
  worlds,
}: {
  readonly name: string;
  readonly version: string;
  readonly scenarios: readonly Scenario[];
  readonly worlds: ReadonlyMap<string, World>;
}): { readonly text: string; readonly manifest: CorpusManifest } {
  const ordered = scenarios.toSorted((a, b) => byCodeUnit(a.id, b.id));
  const used = [...new Set(ordered.map(({ world }) => world))].toSorted(byCodeUnit);
  const digests: Record<string, string> = {};
  const lines = [canonicalJson({ corpus: { schema: 1, name, version } })];
  for (const id of used) {
    const world = worlds.get(id);
    if (world === undefined) continue;
    digests[id] = digest(world);
    lines.push(canonicalJson({ world, digest: digests[id] }));
  }
  for (const scenario of ordered) {
    lines.push(canonicalJson({ scenario, worldDigest: digests[scenario.world] }));
  }
  const text = `${lines.join('\n')}\n`;
  return {
    text,
    manifest: {
      schema: 1,
      name,
      version,
      sha256: digestText(text),
      ...countCorpus(ordered),
      worlds: digests,
    },
  };
}
