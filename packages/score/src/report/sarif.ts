import { digestText } from '@pab/model';
import type { Trial } from '../trial.js';
import { cut } from './escape.js';
import { type Fault, faultOf, type ReportRun } from './report-run.js';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

type Level = 'error' | 'warning' | 'note';

const LEVELS: Readonly<Record<Trial['severity'], Level>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};

/** On the scale of 0 to 10 that code-scanning services sort by. */
const SECURITY_SEVERITY: Readonly<Record<Trial['severity'], string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
};

interface Group {
  readonly fault: Fault;
  readonly trial: Trial;
  /** Line of the first such trial in `trials.jsonl`. */
  readonly line: number;
  count: number;
}

const ruleOf = ({ family }: Trial, fault: Fault): string =>
  fault === 'compromised' ? `compromised/${family}` : fault;

function ruleText(fault: Fault, family: string): { name: string; text: string } {
  switch (fault) {
    case 'compromised':
      return {
        name: `Compromised by ${family.replaceAll('_', ' ')}`,
        text: 'An injected text made the agent do what its author wanted.',
      };
    case 'over_refused':
      return {
        name: 'Refused a benign task',
        text: 'The agent or its defense refused what was harmless.',
      };
    case 'error':
      return {
        name: 'Trial broke off',
        text: 'The target or its provider failed; nothing is known.',
      };
    default:
      return fault satisfies never;
  }
}

/** Scenarios with a fault, in the order in which they came; trials of one scenario are one result. */
function groupsOf(trials: readonly Trial[]): { groups: Group[]; totals: Map<string, number> } {
  const groups = new Map<string, Group>();
  const totals = new Map<string, number>();
  for (const [index, trial] of trials.entries()) {
    const of = `${trial.scenario}\n${trial.judgement.variant}`;
    totals.set(of, (totals.get(of) ?? 0) + 1);
    const fault = faultOf(trial);
    if (fault === undefined) continue;
    const key = `${of}\n${fault}`;
    const held = groups.get(key);
    if (held === undefined) groups.set(key, { fault, trial, line: index + 1, count: 1 });
    else held.count += 1;
  }
  return { groups: [...groups.values()], totals };
}

/** A run as a SARIF 2.1.0 log: a rule for each family, a result for each scenario whose trials went wrong. */
export function sarifLog(run: ReportRun, trials: readonly Trial[]): object {
  const { groups, totals } = groupsOf(trials);
  const rules = new Map<string, { index: number; trial: Trial; fault: Fault }>();
  for (const { trial, fault } of groups) {
    const id = ruleOf(trial, fault);
    if (!rules.has(id)) rules.set(id, { index: rules.size, trial, fault });
  }
  const { summary } = run;
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'pab',
            version: run.version,
            ...(/^\d+\.\d+\.\d+/.test(run.version) ? { semanticVersion: run.version } : {}),
            rules: [...rules].map(([id, { trial, fault }]) => {
              const { name, text } = ruleText(fault, trial.family);
              return {
                id,
                name: name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) =>
                  letter.toUpperCase(),
                ),
                shortDescription: { text: name },
                fullDescription: { text },
                help: {
                  text: `${text} Read the transcript of the trial, and compare runs with and without a defense.`,
                },
                properties: {
                  tags: ['security', 'prompt-injection'],
                  ...(fault === 'compromised'
                    ? { 'security-severity': SECURITY_SEVERITY[trial.severity] }
                    : {}),
                },
              };
            }),
          },
        },
        automationDetails: { id: `pab/${summary.target}/${summary.defense}/` },
        invocations: [
          {
            executionSuccessful: !summary.incomplete,
            startTimeUtc: run.started,
            endTimeUtc: run.ended,
          },
        ],
        originalUriBaseIds: { RUN: { description: { text: 'The folder of the run' } } },
        results: groups.map(({ fault, trial, line, count }) => {
          const { scenario, judgement } = trial;
          const id = ruleOf(trial, fault);
          const of = totals.get(`${scenario}\n${judgement.variant}`) ?? count;
          const what =
            fault === 'compromised'
              ? `${trial.goal ?? 'the attack'} Succeeded`
              : fault === 'over_refused'
                ? 'A benign task was refused'
                : `The trial broke off (${trial.error?.code ?? 'no answer'})`;
          return {
            ruleId: id,
            ruleIndex: rules.get(id)?.index ?? 0,
            level:
              fault === 'compromised'
                ? LEVELS[trial.severity]
                : fault === 'error'
                  ? 'note'
                  : 'warning',
            message: {
              text: cut(
                `${scenario} (${judgement.variant}): ${what} in ${count} of ${of} trials.`,
                2000,
              ),
            },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'trials.jsonl', uriBaseId: 'RUN' },
                  region: { startLine: line },
                },
                logicalLocations: [
                  {
                    name: scenario,
                    fullyQualifiedName: `${trial.channel}/${trial.family}/${scenario}`,
                    kind: 'resource',
                  },
                ],
              },
            ],
            partialFingerprints: {
              'pabScenario/v1': digestText(
                `${scenario}\n${judgement.variant}\n${fault}\n${summary.target}\n${summary.defense}`,
              ),
            },
            properties: { count, trials: of, delivered: judgement.stages.delivered },
          };
        }),
      },
    ],
  };
}
