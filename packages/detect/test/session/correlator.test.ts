import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScanEvent } from '../../src/events/index.js';
import { type Correlation, Correlator, parseCorrelations } from '../../src/session/index.js';
import type { Scope, Verdict } from '../../src/types.js';

interface Sketch {
  readonly minute: number;
  readonly session?: string;
  readonly direction?: Scope;
  readonly verdict?: Verdict;
  readonly rules?: readonly string[];
}

function eventOf({ minute, session = 's', direction, verdict, rules = [] }: Sketch): ScanEvent {
  return {
    TimeGenerated: new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString(),
    EventType: 'PromptInjectionScan',
    Source: 'app',
    Direction: direction ?? 'input',
    SessionId: session,
    verdict: verdict ?? 'suspicious',
    score: 30,
    detections: rules.map((rule_id) => ({
      rule_id,
      title: rule_id,
      severity: 'medium',
      confidence: 0.7,
      matched_text: 'x',
      span: [0, 1],
      atlas: ['AML.T0051.001'],
      owasp: [],
      view: 'original',
      decoded: null,
    })),
    input_length: 1,
    input_sha256: `${minute}`,
    scanner_version: '1',
    ruleset_size: 1,
  };
}

function observed(sketches: readonly Sketch[], correlator = new Correlator()): string[] {
  return sketches.flatMap((one) => correlator.observe(eventOf(one)).map(({ id }) => id));
}

describe('the correlations of the package', () => {
  it('find a slow burn: three suspicious texts of a session within the hour', () => {
    expect(observed([{ minute: 0 }, { minute: 20 }, { minute: 59 }])).toEqual(['PBC-001']);
  });

  it.each([
    ['two only', [{ minute: 0 }, { minute: 1 }]],
    ['over more than the hour', [{ minute: 0 }, { minute: 40 }, { minute: 61 }]],
    [
      'of different sessions',
      [{ minute: 0 }, { minute: 1, session: 't' }, { minute: 2, session: 'u' }],
    ],
    ['benign ones', [0, 1, 2].map((minute) => ({ minute, verdict: 'benign' as const }))],
  ])('take no slow burn from %s', (_name, sketches: readonly Sketch[]) => {
    expect(observed(sketches)).toEqual([]);
  });

  it('find probing: four rules of one session within ten minutes', () => {
    const rules = [['PI-001'], ['PI-003', 'PI-001'], ['PI-004'], ['PI-010']];
    const sketches = rules.map((ids, minute) => ({
      minute,
      rules: ids,
      verdict: 'malicious' as const,
    }));
    expect(observed(sketches)).toEqual(['PBC-002']);
    expect(observed(sketches.map((one) => ({ ...one, rules: ['PI-001'] })))).toEqual([]);
  });

  const injected: Sketch = {
    minute: 0,
    direction: 'context',
    verdict: 'malicious',
    rules: ['PI-015'],
  };
  const leaked: Sketch = {
    minute: 3,
    direction: 'output',
    verdict: 'malicious',
    rules: ['PB-EXFIL-LINK'],
  };

  it('find a leak after an injection, and not before it', () => {
    expect(
      observed([injected, { minute: 1, direction: 'output', verdict: 'benign' }, leaked]),
    ).toEqual(['PBC-003']);
    expect(observed([leaked, { ...injected, minute: 5 }])).toEqual([]);
    expect(observed([injected, { ...leaked, rules: ['PI-001'] }])).toEqual([]);
    expect(observed([injected, { ...leaked, rules: ['PB-CREDENTIALS'] }])).toEqual(['PBC-003']);
    // Charts are in many replies.
    expect(observed([injected, { ...leaked, rules: ['PB-DRAWING'] }])).toEqual([]);
  });

  it('go by the time of the events, not by the order in which they came', () => {
    expect(
      observed([
        { ...leaked, minute: 3 },
        { ...injected, minute: 1 },
      ]),
    ).toEqual(['PBC-003']);
  });

  it('start anew after a finding', () => {
    const sketches = Array.from({ length: 7 }, (_, minute) => ({ minute }));
    expect(observed(sketches)).toEqual(['PBC-001', 'PBC-001']);
  });

  it('name the events and what they have in common', () => {
    const correlator = new Correlator();
    correlator.observe(eventOf(injected));
    const [finding] = correlator.observe(eventOf(leaked));
    expect(finding).toMatchObject({ severity: 'critical', group: { SessionId: 's' } });
    expect(finding?.events.map(({ Direction }) => Direction)).toEqual(['context', 'output']);
  });

  it('pass over events with no session and with no time', () => {
    const { SessionId: _session, ...event } = eventOf({ minute: 0 });
    const correlator = new Correlator();
    for (const one of [event, event, event, { ...eventOf({ minute: 0 }), TimeGenerated: 'soon' }]) {
      expect(correlator.observe(one)).toEqual([]);
    }
  });
});

describe('a correlator', () => {
  it('forgets the group that was longest without an event', () => {
    const correlator = new Correlator({ mostGroups: 2 });
    const session = (name: string, minute: number): Sketch => ({ minute, session: name });
    const order = [session('a', 0), session('b', 1), session('a', 2), session('c', 3)];
    expect(observed(order, correlator)).toEqual([]);
    expect(observed([session('a', 4)], correlator)).toEqual(['PBC-001']);
    expect(observed([session('b', 5), session('b', 6)], correlator)).toEqual([]);
  });

  it('is not made to forget a rule by texts that set off none', () => {
    const rules = [['PI-001'], ['PI-003'], ['PI-004']];
    const first = rules.map((ids) => ({ minute: 0, rules: ids, verdict: 'malicious' as const }));
    const between = Array.from({ length: 300 }, () => ({ minute: 1, verdict: 'benign' as const }));
    const last = { minute: 2, rules: ['PI-010'], verdict: 'malicious' as const };
    expect(observed([...first, ...between, last])).toEqual(['PBC-002']);
  });

  it('remembers as many events as are counted', () => {
    const correlator = new Correlator({
      mostEvents: 2,
      correlations: [
        {
          id: 'C',
          title: 'C',
          severity: 'low',
          type: 'event_count',
          events: {},
          groupBy: ['SessionId'],
          timespan: 1e9,
          atLeast: 5,
        },
      ],
    });
    expect(
      observed(
        Array.from({ length: 5 }, (_, minute) => ({ minute })),
        correlator,
      ),
    ).toEqual(['C']);
  });

  const DAY = 24 * 60;
  const far = [30 * DAY, 400 * DAY, -30 * DAY];

  it.each(far)('is not held up by an event that is %i minutes off', (minute) => {
    expect(observed([{ minute }, { minute: 0 }, { minute: 1 }, { minute: 2 }])).toEqual([
      'PBC-001',
    ]);
    expect(observed([{ minute: 0 }, { minute: 1 }, { minute }, { minute: 2 }])).toEqual([
      'PBC-001',
    ]);
    // Nor by one after each of the others.
    const between = [0, 1, 2].flatMap((at) => [{ minute: minute + at * DAY }, { minute: at }]);
    expect(observed(between)).toEqual(['PBC-001']);
  });

  it('is not held up by an event that is less than the timespan ahead', () => {
    const sketches = [{ minute: 0 }, { minute: 95 }, { minute: 20 }, { minute: 40 }];
    expect(observed(sketches)).toEqual(['PBC-001']);
  });

  it('finds in any order what it finds in order, with events far off among them', () => {
    const burst = [0, 7, 19].map((minute) => ({ minute }));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...burst, ...far.map((minute) => ({ minute }))], { minLength: 6 }),
        (sketches) => {
          expect(observed(sketches)).toEqual(['PBC-001']);
        },
      ),
    );
  });

  it('forgets what is long past, so that a group grows with its latest events only', () => {
    const correlator = new Correlator({ mostEvents: 1_000 });
    // Two within the hour, and nine a day apart after them.
    const sketches = [0, 1, ...Array.from({ length: 9 }, (_, i) => (i + 1) * DAY)];
    expect(
      observed(
        sketches.map((minute) => ({ minute })),
        correlator,
      ),
    ).toEqual([]);
    expect(observed([{ minute: 2 }], correlator)).toEqual([]);
  });

  it('keeps no raw text', () => {
    const correlator = new Correlator();
    const found = [0, 1, 2].flatMap((minute) =>
      correlator.observe({ ...eventOf({ minute }), input: 'a text of the user' }),
    );
    expect(found.map(({ events }) => events.length)).toEqual([3]);
    expect(JSON.stringify(found)).not.toContain('a text of the user');
  });

  it('finds as many events as were asked for whatever stands between them', () => {
    const count: Correlation = {
      id: 'C',
      title: 'C',
      severity: 'low',
      type: 'event_count',
      events: { rules: ['PI-*'], atlas: ['AML.T0051'] },
      groupBy: ['SessionId', 'Source'],
      timespan: 1e9,
      atLeast: 4,
    };
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (hits) => {
        const correlator = new Correlator({ correlations: [count] });
        const found = observed(
          hits.map((hit, minute) => ({ minute, rules: [hit ? 'PI-001' : 'PB-ML'] })),
          correlator,
        );
        expect(found).toHaveLength(Math.floor(hits.filter(Boolean).length / 4));
      }),
    );
  });
});

const file = `
id: ACME-1
title: Many leaks
level: high
correlation:
  type: value_count
  events: { rules: [PB-*], directions: output }
  group-by: [User]
  timespan: 90s
  condition: { field: ContentId, gte: 2 }
---
id: ACME-2
title: Two steps
level: low
correlation:
  type: temporal_ordered
  steps: [{ directions: input }, { verdicts: [malicious] }]
  group-by: SessionId
  timespan: 2h
`;

describe('parseCorrelations', () => {
  it('reads one correlation a document', () => {
    expect(parseCorrelations(file)).toMatchInlineSnapshot(`
      [
        {
          "atLeast": 2,
          "events": {
            "directions": [
              "output",
            ],
            "rules": [
              "PB-*",
            ],
          },
          "field": "ContentId",
          "groupBy": [
            "User",
          ],
          "id": "ACME-1",
          "severity": "high",
          "timespan": 90000,
          "title": "Many leaks",
          "type": "value_count",
        },
        {
          "groupBy": [
            "SessionId",
          ],
          "id": "ACME-2",
          "severity": "low",
          "steps": [
            {
              "directions": [
                "input",
              ],
            },
            {
              "verdicts": [
                "malicious",
              ],
            },
          ],
          "timespan": 7200000,
          "title": "Two steps",
          "type": "temporal_ordered",
        },
      ]
    `);
  });

  it.each([
    ['an unknown key', file.replace('title: Many', 'name: Many')],
    ['an unknown kind', file.replace('value_count', 'metric')],
    ['a time with no unit', file.replace('90s', '90')],
    ['a count of nothing', file.replace('gte: 2', 'gte: 0')],
    ['an unknown field', file.replace('ContentId', 'Secret')],
    ['an unknown direction', file.replace('directions: output', 'directions: sideways')],
    ['an id that stands twice', file.replace('ACME-2', 'ACME-1')],
    ['no steps', file.replace(/steps: .*/, 'steps: []')],
    ['broken YAML', 'id: [a'],
    ['a list', '- a'],
    ['an alias', 'id: &a x\ntitle: *a'],
  ])('refuses %s and names the file', (_name, source) => {
    expect(() => parseCorrelations(source, 'mine.yml')).toThrow(/^mine\.yml: /);
  });

  it('names the line of the file where its YAML is broken, also in a later document', () => {
    const broken = `${file}---\nid: X\n  title: y\n`;
    const line = broken.split('\n').indexOf('id: X') + 1;
    expect(() => parseCorrelations(broken, 'mine.yml')).toThrow(`at line ${line}, column`);
  });

  it('names the line of a key that stands twice, in whichever document', () => {
    expect(() => parseCorrelations('# First\n---\nid: A\nid: B\n', 'mine.yml')).toThrow(
      'mine.yml: the key "id" stands twice in one mapping at line 4, column 1',
    );
  });

  it('reads as many documents as there are', () => {
    const one = file.split(/^---$/m)[0] ?? '';
    const many = Array.from({ length: 300 }, (_, i) => one.replace(/^id: .*$/m, `id: MANY-${i}`));
    const found = parseCorrelations(many.join('\n---\n'));
    expect(found.map(({ id }) => id)).toEqual(many.map((_, i) => `MANY-${i}`));
  });

  it('refuses what is nested without end, in words', () => {
    const deep = `id: ${'['.repeat(50_000)}`;
    expect(() => parseCorrelations(deep, 'mine.yml')).toThrow('mine.yml: nested too deeply');
  });
});
