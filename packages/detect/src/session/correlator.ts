import { oneOf, scopeOf, verdictIn } from '../check-result.js';
import {
  list,
  optionsOf,
  record,
  refuse,
  severity,
  shown,
  string,
  strings,
  wholeNumber,
} from '../check-values.js';
import { checkEvent } from '../events/check-event.js';
import type { EventDetection, ScanEvent } from '../events/index.js';
import type { Severity } from '../types.js';
import { builtinCorrelations, type Correlation, type EventSelector } from './correlation.js';

/** A correlation that has come about. */
export interface CorrelationFinding {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** What the events have in common, e.g. `SessionId`. */
  readonly group: Readonly<Record<string, string>>;
  /** The events that make it up, in order of time, without raw text. */
  readonly events: readonly ScanEvent[];
}

export interface CorrelatorOptions {
  readonly correlations?: readonly Correlation[];
  /** Groups that are remembered for each correlation; the one that was longest without an event is dropped. */
  readonly mostGroups?: number;
  /** Events that are remembered for each group and correlation; as many as it counts in any case. */
  readonly mostEvents?: number;
}

function fits(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}

/** The detections of an event that a selector asks for; `undefined` when the event does not fit. */
function selected(
  event: ScanEvent,
  selector: EventSelector,
): readonly EventDetection[] | undefined {
  const { rules, atlas, directions, verdicts } = selector;
  if (directions !== undefined && !directions.includes(event.Direction)) return undefined;
  if (verdicts !== undefined && !verdicts.includes(event.verdict)) return undefined;
  if (rules === undefined && atlas === undefined) return event.detections;
  const found = event.detections.filter(
    (detection) =>
      (rules === undefined || rules.some((rule) => fits(rule, detection.rule_id))) &&
      (atlas === undefined ||
        detection.atlas.some((id) => atlas.some((one) => id === one || id.startsWith(`${one}.`)))),
  );
  return found.length === 0 ? undefined : found;
}

interface Remembered {
  readonly event: ScanEvent;
  readonly time: number;
  /** Values that are counted, for `value_count`. */
  readonly values: readonly string[];
}

function valuesOf(
  event: ScanEvent,
  detections: readonly EventDetection[],
  field: 'rule_id' | 'input_sha256' | 'ContentId' | 'User',
): readonly string[] {
  if (field === 'rule_id') return detections.map((detection) => detection.rule_id);
  const value = event[field];
  return value === undefined ? [] : [value];
}

/**
 * Events of a group after which one is forgotten that is further than the timespan from all of them. With one of a wrong
 * clock, or a few, the others stay.
 */
const ERAS = 8;

/** One event for each step, in order of time; the earliest that fit. */
function chain(
  remembered: readonly Remembered[],
  steps: readonly EventSelector[],
): Remembered[] | undefined {
  const found: Remembered[] = [];
  for (const entry of remembered) {
    const step = steps[found.length];
    if (step === undefined) break;
    if (selected(entry.event, step) !== undefined) found.push(entry);
  }
  return found.length === steps.length ? found : undefined;
}

const TYPES = ['event_count', 'value_count', 'temporal_ordered'];
const GROUPS = ['SessionId', 'User', 'Source'];
const FIELDS = ['rule_id', 'input_sha256', 'ContentId', 'User'];

function checkSelector(value: unknown, what: string): void {
  const { rules, atlas, directions, verdicts } = record(
    value,
    what,
    'an object that says which events count',
  );
  if (rules !== undefined) strings(rules, `${what}.rules`);
  if (atlas !== undefined) strings(atlas, `${what}.atlas`);
  if (directions !== undefined) {
    list(directions, `${what}.directions`, 'directions');
    for (const one of directions) scopeOf(one, `${what}.directions`);
  }
  if (verdicts === undefined) return;
  list(verdicts, `${what}.verdicts`, 'verdicts');
  for (const one of verdicts) verdictIn(one, `${what}.verdicts`);
}

function checkCorrelation(value: unknown, what: string): void {
  const given = record(value, what, 'a correlation as parseCorrelations gives it');
  const { type, groupBy, timespan, events, steps, atLeast, field } = given;
  oneOf(type, TYPES, `${what}.type`);
  string(given['id'], `${what}.id`);
  string(given['title'], `${what}.title`);
  severity(given['severity'], `${what}.severity`);
  list(groupBy, `${what}.groupBy`, 'fields of events');
  for (const one of groupBy) oneOf(one, GROUPS, `${what}.groupBy`);
  if (typeof timespan !== 'number' || !(timespan >= 0)) {
    refuse(`${what}.timespan must be a number of milliseconds; got ${shown(timespan)}`);
  }
  if (type === 'temporal_ordered') {
    list(steps, `${what}.steps`, 'steps');
    if (steps.length === 0) refuse(`${what}.steps must have a step`);
    for (const [i, step] of steps.entries()) checkSelector(step, `${what}.steps[${i}]`);
    return;
  }
  checkSelector(events, `${what}.events`);
  wholeNumber(atLeast, `${what}.atLeast`, 1);
  if (type === 'value_count') oneOf(field, FIELDS, `${what}.field`);
}

function checkCorrelator(options: unknown): void {
  const { correlations, mostGroups, mostEvents } = optionsOf(options, 'Correlator', [
    'correlations',
    'mostGroups',
    'mostEvents',
  ]);
  if (mostGroups !== undefined) wholeNumber(mostGroups, 'mostGroups', 1);
  if (mostEvents !== undefined) wholeNumber(mostEvents, 'mostEvents', 1);
  if (correlations === undefined) return;
  list(correlations, 'correlations', 'correlations as parseCorrelations gives them');
  for (const [index, one] of correlations.entries()) {
    checkCorrelation(one, `correlations[${index}]`);
  }
}

/**
 * Watches events of many sessions for patterns that no single text shows. Memory is bounded; time is that of the
 * events, and no clock is asked. After a finding the events that made it up no longer count for that correlation.
 *
 * Events may come out of order. Each is put together with those at most a timespan before or after it, so that one whose
 * time is far off, in the future or in the past, holds up no other. An event is forgotten when the last eight events of
 * its group that came are all further from it than the timespan.
 */
export class Correlator {
  readonly #correlations: readonly Correlation[];
  readonly #mostGroups: number;
  readonly #mostEvents: number;
  readonly #groups: readonly Map<string, Remembered[]>[];

  /** @throws DetectError `bad-option` for an option that is unknown or of a wrong type. */
  constructor(options: CorrelatorOptions = {}) {
    checkCorrelator(options);
    const { correlations = builtinCorrelations, mostGroups = 10_000, mostEvents = 256 } = options;
    this.#correlations = correlations;
    this.#mostGroups = mostGroups;
    this.#mostEvents = mostEvents;
    this.#groups = correlations.map(() => new Map<string, Remembered[]>());
  }

  /** Takes one event and gives the correlations that it completes. Events with no valid time are passed over. */
  observe(event: ScanEvent): CorrelationFinding[] {
    checkEvent(event, 'observe', { anyTime: true });
    const time = Date.parse(event.TimeGenerated);
    if (Number.isNaN(time)) return [];
    const findings: CorrelationFinding[] = [];
    for (const [i, correlation] of this.#correlations.entries()) {
      const groups = this.#groups[i];
      const finding = groups && this.#observeOne(correlation, groups, event, time);
      if (finding !== undefined) findings.push(finding);
    }
    return findings;
  }

  #observeOne(
    correlation: Correlation,
    groups: Map<string, Remembered[]>,
    event: ScanEvent,
    time: number,
  ): CorrelationFinding | undefined {
    const group: [string, string][] = [];
    for (const field of correlation.groupBy) {
      const value = event[field];
      if (value === undefined) return undefined;
      group.push([field, value]);
    }
    const selectors =
      correlation.type === 'temporal_ordered' ? correlation.steps : [correlation.events];
    const chosen = selectors
      .map((selector) => selected(event, selector))
      .find((detections) => detections !== undefined);
    if (chosen === undefined) return undefined;
    const values =
      correlation.type === 'value_count' ? valuesOf(event, chosen, correlation.field) : [];
    // What counts for nothing must not push out what does.
    if (correlation.type === 'value_count' && values.length === 0) return undefined;

    const key = JSON.stringify(group);
    // A raw text may be of megabytes.
    const { input: _input, ...kept } = event;
    const arrived: Remembered = { event: kept, time, values };
    const all = [...(groups.get(key) ?? []), arrived];
    const recent = all.slice(-ERAS);
    const near = all.filter((entry) =>
      recent.some((one) => Math.abs(one.time - entry.time) <= correlation.timespan),
    );
    const remembered = near.slice(-Math.max(this.#mostEvents, leastEvents(correlation)));
    groups.delete(key);
    const found = completedAround(arrived, correlation, remembered);
    const rest = remembered.filter((entry) => found?.window.includes(entry) !== true);
    if (rest.length > 0) groups.set(key, rest);
    const oldest = groups.size > this.#mostGroups ? groups.keys().next().value : undefined;
    if (oldest !== undefined) groups.delete(oldest);
    if (found === undefined) return undefined;
    return {
      id: correlation.id,
      title: correlation.title,
      severity: correlation.severity,
      group: Object.fromEntries(group),
      events: found.events.map((entry) => entry.event),
    };
  }
}

/** The events in the span of time that ends last, holds the one that arrived, and completes the correlation. */
function completedAround(
  arrived: Remembered,
  correlation: Correlation,
  remembered: readonly Remembered[],
): { window: readonly Remembered[]; events: readonly Remembered[] } | undefined {
  const { timespan } = correlation;
  const around = remembered
    .filter(({ time }) => Math.abs(time - arrived.time) <= timespan)
    .toSorted((a, b) => a.time - b.time);
  const ends = new Set(around.map(({ time }) => time).filter((time) => time >= arrived.time));
  for (const end of [...ends].toReversed()) {
    const window = around.filter(({ time }) => time <= end && end - time <= timespan);
    const events = completed(correlation, window);
    if (events !== undefined) return { window, events };
    // What ends earlier holds nothing more.
    if (window[0] === around[0]) return undefined;
  }
  return undefined;
}

/** Events that a correlation can need. */
function leastEvents(correlation: Correlation): number {
  return correlation.type === 'temporal_ordered' ? correlation.steps.length : correlation.atLeast;
}

function completed(
  correlation: Correlation,
  remembered: readonly Remembered[],
): readonly Remembered[] | undefined {
  switch (correlation.type) {
    case 'event_count':
      return remembered.length >= correlation.atLeast ? remembered : undefined;
    case 'value_count': {
      const values = new Set(remembered.flatMap((entry) => entry.values));
      return values.size >= correlation.atLeast ? remembered : undefined;
    }
    case 'temporal_ordered':
      return chain(remembered, correlation.steps);
    default:
      return correlation satisfies never;
  }
}
