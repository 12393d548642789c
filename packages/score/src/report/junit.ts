import type { Trial } from '../trial.js';
import { cut, escapeMarkup } from './escape.js';
import { type ReportRun, trialName } from './report-run.js';

const MOST_TEXT = 4000;

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`)
    .join('');
}

function said(trial: Trial): string {
  const { judgement, error } = trial;
  const { stages, leaks, notes } = judgement;
  const lines = [
    `goal: ${trial.goal ?? 'none'}`,
    `reached ${stages.reached}, delivered ${stages.delivered}, attempted ${stages.attempted}, executed ${stages.executed}`,
    ...leaks.map(({ route, how, where }) => `left by ${route} at ${where}: ${how.join(', ')}`),
    ...notes,
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
    `transcript ${trial.transcript}`,
  ];
  return cut(lines.join('\n'), MOST_TEXT);
}

/** What stands inside a test case: nothing where all is well. */
function body(trial: Trial): string {
  const { outcome } = trial.judgement;
  const element = (name: string, message: string): string =>
    `<${name}${attributes({ message, type: outcome })}>${escapeMarkup(said(trial))}</${name}>`;
  switch (outcome) {
    case 'compromised':
      return element('failure', `compromised (${trial.severity}): ${trial.goal ?? ''}`);
    case 'over_refused':
      return element('failure', 'a benign task was refused');
    case 'error':
      return element('error', trial.error?.message ?? 'the target gave nothing');
    case 'not_reached':
      return element('skipped', 'the attack was not reached, so nothing was tested');
    case 'provider_blocked':
      return element('skipped', "the provider's filter stopped the trial");
    case 'not_completed':
      return element('skipped', 'the task was not done, and not refused either');
    case 'unjudged':
      return element('skipped', 'the scenario does not say what done is');
    case 'resisted':
    case 'completed':
      return '';
    default:
      return outcome satisfies never;
  }
}

const counted = (bodies: readonly string[], name: string): number =>
  bodies.filter((text) => text.startsWith(`<${name}`)).length;

/**
 * A run as JUnit XML: a suite for each channel, a test case for each trial. An attack that succeeded and a benign task that was refused
 * fail; a target that broke off is an error; what could not show anything is skipped, never passed.
 */
export function junitXml({ name, summary, ended }: ReportRun, trials: readonly Trial[]): string {
  const suites = new Map<string, Trial[]>();
  for (const trial of trials) {
    const held = suites.get(trial.channel) ?? [];
    held.push(trial);
    suites.set(trial.channel, held);
  }
  const all: string[] = [];
  const written = [...suites].map(([channel, held]) => {
    const bodies = held.map(body);
    for (const one of bodies) all.push(one);
    const cases = held.map((trial, index) => {
      const open = `    <testcase${attributes({ classname: `${channel}.${trial.family}`, name: trialName(trial), time: 0 })}`;
      const inner = bodies[index] ?? '';
      return inner === '' ? `${open}/>` : `${open}>${inner}</testcase>`;
    });
    const head = attributes({
      name: channel,
      tests: held.length,
      failures: counted(bodies, 'failure'),
      errors: counted(bodies, 'error'),
      skipped: counted(bodies, 'skipped'),
      timestamp: ended.slice(0, 19),
      time: 0,
    });
    return [`  <testsuite${head}>`, ...cases, '  </testsuite>'].join('\n');
  });
  const head = attributes({
    name: `${name}: ${summary.target} × ${summary.defense}`,
    tests: all.length,
    failures: counted(all, 'failure'),
    errors: counted(all, 'error'),
    skipped: counted(all, 'skipped'),
    time: summary.usage.wall_s ?? 0,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...written,
    '</testsuites>',
    '',
  ].join('\n');
}
