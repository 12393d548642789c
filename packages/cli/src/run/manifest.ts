import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@pab/model';

/** `manifest.json`: what was run, so that it can be run and checked again. Times and counts are filled in at the end. */
export interface RunManifest {
  readonly schema: 1;
  readonly corpus: {
    readonly name: string;
    readonly version: string;
    readonly sha256: string;
    readonly attacks: number;
    readonly controls: number;
  };
  readonly target: {
    readonly name: string;
    readonly options: JsonObject;
    readonly simulated: boolean;
  };
  readonly defense: { readonly name: string; readonly options: JsonObject };
  readonly seed: number;
  readonly trials: number;
  readonly maxSteps: number;
  /** Milliseconds for each trial; null when it was not limited. */
  readonly timeoutMs: number | null;
  readonly provenance: 'part' | 'message';
  /** Bootstrap resamples of the summary. */
  readonly resamples: number;
  readonly selection: JsonObject;
  readonly shard: { readonly index: number; readonly of: number } | null;
  /** Whole released corpus, pinned seed, at least three trials, no filter: see `pab run --official`. */
  readonly official: boolean;
  /** What the corpus that was run is found by: `bundled`, or the paths that were named. */
  readonly corpusPaths: readonly string[];
  readonly versions: {
    readonly pab: string;
    readonly judge: string;
    readonly node: string;
    /** Versions of the packages that made the run. */
    readonly packages: Readonly<Record<string, string>>;
  };
  /** Paid out at the end of the run. */
  readonly result?: {
    readonly started: string;
    readonly ended: string;
    readonly planned: number;
    readonly done: number;
    readonly errors: number;
    readonly modelIds: readonly string[];
    /** SHA-256 (hex) of `trials.jsonl` as it stands. */
    readonly trialsSha256: string;
    /** SHA-256 (hex) of the canonical JSON of this manifest without this field. */
    readonly manifestSha256: string;
  };
}

/** Digest of a manifest as it stands in `result.manifestSha256`. */
export function manifestDigest(manifest: RunManifest): string {
  const { result } = manifest;
  const { manifestSha256: _own, ...rest } = result ?? {};
  const said = result === undefined ? manifest : { ...manifest, result: rest };
  return createHash('sha256').update(canonicalJson(said)).digest('hex');
}
