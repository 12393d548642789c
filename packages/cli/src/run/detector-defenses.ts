import type { Defense, JsonObject } from '@pab/model';

/** Defenses that need the detector, which only the command line puts together with them. */
export const detectorDefenses: Readonly<Record<string, (options: JsonObject) => Promise<Defense>>> =
  {};
