/** Upper bounds of the histogram of scan times, in seconds. */
const BUCKETS = [0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1] as const;

function labels(pairs: Readonly<Record<string, string>>): string {
  const shown = Object.entries(pairs).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return `{${shown.join(',')}}`;
}

class Counter {
  readonly #values = new Map<string, number>();
  readonly #name: string;
  readonly #help: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(pairs: Readonly<Record<string, string>>, amount = 1): void {
    const key = Object.keys(pairs).length === 0 ? '' : labels(pairs);
    this.#values.set(key, (this.#values.get(key) ?? 0) + amount);
  }

  lines(): string[] {
    return [
      `# HELP ${this.#name} ${this.#help}`,
      `# TYPE ${this.#name} counter`,
      ...[...this.#values].map(([key, value]) => `${this.#name}${key} ${value.toString()}`),
    ];
  }
}

/**
 * Counts of a service in the Prometheus text format. Label values come from closed lists (routes, scopes, verdicts,
 * rule ids), so that a client cannot grow them.
 */
export class ServiceMetrics {
  readonly #requests = new Counter('pab_requests_total', 'Requests by route and status.');
  readonly #scans = new Counter('pab_scans_total', 'Scans by scope and verdict.');
  readonly #detections = new Counter('pab_detections_total', 'Findings by rule.');
  readonly #characters = new Counter('pab_scanned_characters_total', 'UTF-16 code units scanned.');
  readonly #buckets = BUCKETS.map(() => 0);
  #seconds = 0;
  #timed = 0;
  #inFlight = 0;

  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  request(route: string, status: number): void {
    this.#requests.add({ route, status: status.toString() });
  }

  scan(done: {
    readonly scope: string;
    readonly verdict: string;
    readonly rules: readonly string[];
    readonly characters: number;
    readonly seconds: number;
  }): void {
    this.#scans.add({ scope: done.scope, verdict: done.verdict });
    for (const rule of new Set(done.rules)) this.#detections.add({ rule });
    this.#characters.add({}, done.characters);
    for (const [index, bound] of BUCKETS.entries()) {
      if (done.seconds <= bound) this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    }
    this.#seconds += done.seconds;
    this.#timed += 1;
  }

  /** Prometheus text format 0.0.4. */
  text({ arriving, waiting }: { readonly arriving: number; readonly waiting: number }): string {
    return `${[
      ...this.#requests.lines(),
      ...this.#scans.lines(),
      ...this.#detections.lines(),
      ...this.#characters.lines(),
      '# HELP pab_scan_seconds Time of a scan.',
      '# TYPE pab_scan_seconds histogram',
      ...BUCKETS.map(
        (bound, index) =>
          `pab_scan_seconds_bucket{le="${bound.toString()}"} ${(this.#buckets[index] ?? 0).toString()}`,
      ),
      `pab_scan_seconds_bucket{le="+Inf"} ${this.#timed.toString()}`,
      `pab_scan_seconds_sum ${this.#seconds.toString()}`,
      `pab_scan_seconds_count ${this.#timed.toString()}`,
      '# HELP pab_in_flight Requests being answered.',
      '# TYPE pab_in_flight gauge',
      `pab_in_flight ${this.#inFlight.toString()}`,
      '# HELP pab_arriving Requests whose body is on its way.',
      '# TYPE pab_arriving gauge',
      `pab_arriving ${arriving.toString()}`,
      '# HELP pab_waiting Scans that wait for their turn.',
      '# TYPE pab_waiting gauge',
      `pab_waiting ${waiting.toString()}`,
    ].join('\n')}\n`;
  }
}
