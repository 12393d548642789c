import type { ReportRun, Summary } from '@pab/score';
import type { FinishedManifest } from './parse-manifest.js';

/** A run as the report formats want it. */
export function reportRun(name: string, manifest: FinishedManifest, summary: Summary): ReportRun {
  const { target, defense, official, versions, maxSteps, result } = manifest;
  return {
    name,
    summary,
    targetOptions: target.options,
    defenseOptions: defense.options,
    simulated: target.simulated,
    official,
    judge: versions.judge,
    version: versions.pab,
    maxSteps,
    modelIds: result.modelIds,
    started: result.started,
    ended: result.ended,
  };
}
