import type { Io } from '../io.js';

export interface Progress {
  step(done: number, total: number): void;
  /** Clears the bar, so that what follows begins on a line of its own. */
  end(): void;
}

const WIDTH = 24;

/** A bar on a terminal, a line at every tenth elsewhere, nothing when quiet. All of it on stderr. */
export function createProgress(io: Io, label: string, quiet: boolean): Progress {
  if (quiet) return { step: () => undefined, end: () => undefined };
  const terminal = io.stderr.isTTY === true;
  const started = io.elapsed();
  let lastDrawn = Number.NEGATIVE_INFINITY;
  let lastTenth = 0;
  let open = false;
  return {
    step(done, total) {
      if (terminal) {
        const now = io.elapsed();
        if (now - lastDrawn < 80 && done < total) return;
        lastDrawn = now;
        const filled = Math.round((done / Math.max(1, total)) * WIDTH);
        const left = done === 0 ? 0 : ((now - started) / done) * (total - done);
        const rest = left > 2000 ? `  ${Math.ceil(left / 1000)} s left` : '';
        const text = `${label} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done}/${total}${rest}`;
        io.stderr.write(`\r\u001b[K${text.slice(0, Math.max(20, (io.stderr.columns ?? 80) - 1))}`);
        open = true;
        return;
      }
      const tenth = Math.floor((done / Math.max(1, total)) * 10);
      if (tenth > lastTenth && total >= 200) {
        lastTenth = tenth;
        io.stderr.write(`${label}: ${done} of ${total}\n`);
      }
    },
    end() {
      if (open) io.stderr.write('\r\u001b[K');
      open = false;
    },
  };
}
