import { CliError } from '../errors.js';
import { type Corpus, loadBundledCorpus, loadSoundCorpus } from '../run/corpus.js';
import type { FinishedManifest } from './parse-manifest.js';

/**
 * The corpus that runs are checked against: what `--corpus` names, or the bundled one. The paths in a manifest are words of whoever
 * made the run; no file is opened because of them.
 */
export function verificationCorpus(
  paths: readonly string[] | undefined,
  cwd: string,
): (manifest: FinishedManifest) => Promise<Corpus> {
  let loaded: Promise<Corpus> | undefined;
  const named = paths !== undefined && paths.length > 0;
  return async (manifest) => {
    loaded ??= named ? loadSoundCorpus(paths, cwd) : loadBundledCorpus();
    const corpus = await loaded;
    const bundled = manifest.corpusPaths.length === 1 && manifest.corpusPaths[0] === 'bundled';
    if (!named && !bundled && corpus.sha256 !== manifest.corpus.sha256) {
      throw new CliError(
        `the run is of a corpus of its own (${manifest.corpus.name} ${manifest.corpus.version}); name its files with --corpus`,
      );
    }
    return corpus;
  };
}
