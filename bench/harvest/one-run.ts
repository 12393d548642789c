import { fileSource, harvest, parseSplits } from '@pab/harvest';

/** One harvest in a process of its own, so that its memory is its own: `one-run FILE OUT DEDUPE`. */
async function main([file = '', out = '', dedupe = '']: readonly string[]): Promise<void> {
  if (dedupe !== 'off' && dedupe !== 'near') throw new Error(`expected off or near, not ${dedupe}`);
  const begun = performance.now();
  let early = 0;
  const { manifest } = await harvest({
    sources: [await fileSource(file)],
    out,
    dedupe,
    splits: parseSplits('train=0.8,dev=0.1,test=0.1'),
    onProgress: (read) => {
      if (read === 20_000) early = process.memoryUsage.rss();
    },
  });
  const result = {
    cpu_seconds: Number(
      (process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6).toFixed(2),
    ),
    seconds: Number(((performance.now() - begun) / 1000).toFixed(2)),
    peak_mb: Math.round(process.resourceUsage().maxRSS / 1024),
    early_mb: Math.round(early / 1024 / 1024),
    rows_read: manifest.rows_read,
    rows_written: manifest.rows_written,
    duplicates: manifest.duplicates,
    near_duplicates: manifest.near_duplicates,
    splits: manifest.splits,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

await main(process.argv.slice(2));
