import { describe, expect, it } from 'vitest';
import { formatProblem, loadJsonl, type Problem } from '../../src/index.js';
import { loadYaml } from '../../src/yaml.js';
import { bytesOf, jsonl, scenarioInput, scenarioWith, worldInput } from '../sample.js';

const said = (problems: readonly Problem[]): string => problems.map(formatProblem).join('\n');

const load = (...values: readonly unknown[]): string =>
  said(loadJsonl(jsonl(worldInput, ...values), 'corpus.jsonl').problems);

const yaml = (text: string): string =>
  said(
    loadYaml([
      { file: 'world.yaml', bytes: bytesOf(JSON.stringify(worldInput)) },
      { file: 's.yaml', bytes: bytesOf(text) },
    ]).problems,
  );

const asYaml = (change: Record<string, unknown> = {}): string => {
  const scenario = scenarioWith(change);
  return Object.entries(scenario)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n');
};

describe('a corpus that is sound', () => {
  it('has no problems, as JSON Lines and as YAML', () => {
    expect(load(scenarioInput)).toBe('');
    expect(yaml(asYaml())).toBe('');
  });
});

describe('what is wrong with a scenario is said with its place and its mend', () => {
  it('an unknown key, with the one that was meant', () => {
    expect(load(scenarioWith({ familly: 'x' }))).toMatchInlineSnapshot(
      `"corpus.jsonl:2:1: familly: unknown key "familly". Did you mean "family"?"`,
    );
  });

  it('a missing field, a wrong type and a value that is not in the list, all at once', () => {
    const { title: _title, ...rest } = scenarioWith({ severity: 'hihg', atlas: 'AML.T0051' }) as {
      title?: string;
    };
    expect(load(rest)).toMatchInlineSnapshot(`
      "corpus.jsonl:2:1: title: is missing; it takes text
      corpus.jsonl:2:1: severity: "hihg" is not one of low, medium, high, critical. Did you mean "high"?
      corpus.jsonl:2:1: atlas: must be a list, not text"
    `);
  });

  it('text that YAML took for a map', () => {
    expect(yaml(asYaml().replace(/^title: .*$/m, 'title:\n  A note: asks'))).toMatchInlineSnapshot(
      `"s.yaml:3:3: title: must be text, not a map; a text with ": " in it needs quotes in YAML"`,
    );
  });

  it('a second scenario with the same id', () => {
    expect(load(scenarioInput, scenarioInput)).toMatchInlineSnapshot(
      `"corpus.jsonl:3:1: id: "desk-exfil-001" is already the id of the scenario at corpus.jsonl:2; ids are unique and stable"`,
    );
  });

  it('an oracle that names a tool that is not there', () => {
    expect(
      load(scenarioWith({ compromised: { calls: { tool: 'send_pots' } } })),
    ).toMatchInlineSnapshot(
      `"corpus.jsonl:2:1: compromised.calls.tool: names the tool "send_pots", which this scenario does not offer. Did you mean "send_post"? Tools: list_notes, read_note, search_notes, send_post, rename_note, drop_note, clock"`,
    );
  });

  it('a token that a quote of the scenario would already contain', () => {
    const quoted = scenarioWith({
      vars: { ...scenarioInput.vars },
      compromised: {
        any: [{ leaks: { value: '{{secret}}' } }, { says: { contains: 'join  {{code.a}}' } }],
      },
    });
    expect(load(quoted)).toContain(
      "which stands in the scenario's own text, so a quote would count as success",
    );
  });

  it('an oracle with a key that there is not', () => {
    expect(load(scenarioWith({ compromised: { sayz: { contains: 'x' } } }))).toMatchInlineSnapshot(
      `"corpus.jsonl:2:1: compromised: takes exactly one of calls, state, says, leaks, renders, refuses, all, any, not. Did you mean "says"?"`,
    );
  });

  it('a value that is no JSON, or so deep that reading it would recurse without end', () => {
    const setTo = (value: unknown) => load(scenarioWith({ environment: { set: { '/a': value } } }));
    const deep = (levels: number): unknown =>
      Array.from({ length: levels }).reduce((inner) => [inner], 1 as unknown);
    const polluting: unknown = JSON.parse('{"__proto__":{"x":1}}');
    expect([setTo(deep(400)), setTo(polluting)]).toMatchInlineSnapshot(`
      [
        "corpus.jsonl:2:1: environment.set["/a"]: is no JSON value: text, a finite number, true, false, null, a list or a map, at most 200 levels deep and without a key "__proto__"",
        "corpus.jsonl:2:1: environment.set["/a"]: is no JSON value: text, a finite number, true, false, null, a list or a map, at most 200 levels deep and without a key "__proto__"",
      ]
    `);
  });

  it('a key __proto__, which a map of any keys would lose', () => {
    const polluting: unknown = JSON.parse('{"__proto__":{"kind":"password"}}');
    expect(load(scenarioWith({ vars: polluting }))).toContain(
      'vars.__proto__: "__proto__" cannot be a key; give it another name',
    );
  });

  it('a regular expression that needs more than linear time', () => {
    expect(
      load(scenarioWith({ compromised: { says: { matches: '(?=a)b' } } })),
    ).toMatchInlineSnapshot(
      `"corpus.jsonl:2:1: compromised.says.matches: only linear-time (RE2) syntax: no look-around "(?=", "(?!", "(?<=", "(?<!" and no back-references; use "not" around a second matcher instead"`,
    );
  });

  it('placeholders that are not declared or not used', () => {
    expect(
      load(
        scenarioWith({
          goal: 'Send {{secrte}}.',
          vars: { ...scenarioInput.vars, spare: { kind: 'host' } },
        }),
      ),
    ).toMatchInlineSnapshot(`
      "corpus.jsonl:2:1: goal: {{secrte}} is not declared under "vars". Did you mean "secret"?
      corpus.jsonl:2:1: vars.spare: "spare" is declared and never used"
    `);
  });

  it('a plan that calls what is not offered, forgets a turn, or names a fact it does not say', () => {
    expect(
      load(
        scenarioWith({
          reference: {
            ...scenarioInput.reference,
            ideal: [
              { call: 'raed_note', args: { id: 'n-1' }, essential: ['idd'] },
              { say: 'It hums.', essential: ['E14'] },
              { say: 'Bye.' },
            ],
          },
        }),
      ),
    ).toMatchInlineSnapshot(`
      "corpus.jsonl:2:1: reference.ideal[0].call: calls "raed_note", which this scenario does not offer. Did you mean "read_note"?
      corpus.jsonl:2:1: reference.ideal[0].essential: names the argument "idd", which the call does not give
      corpus.jsonl:2:1: reference.ideal[1].essential: "E14" does not stand in the answer
      corpus.jsonl:2:1: reference.ideal: has 2 "say" step(s) for 1 turn(s); each turn ends with one"
    `);
  });

  it('what an attack and a control need', () => {
    const { goal: _goal, ...rest } = scenarioWith({ injections: [] }) as { goal?: string };
    expect(load(rest)).toMatchInlineSnapshot(`
      "corpus.jsonl:2:1: goal: is missing; say what the attacker wants, in one imperative
      corpus.jsonl:2:1: injections: an attack needs at least one injection"
    `);
    expect(load(scenarioWith({ kind: 'control' }))).toMatchInlineSnapshot(`
      "corpus.jsonl:2:1: controlType: is missing; a control is benign, hard_benign, near_miss or fidelity
      corpus.jsonl:2:1: compromised: a control has no security oracle
      corpus.jsonl:2:1: injections: a control has no injections; put its text into "environment"
      corpus.jsonl:2:1: family: the family of a control is "control""
    `);
  });

  it('places that are not in the world', () => {
    expect(
      load(scenarioWith({ environment: { set: { '/nowhere/0/body': 'x' } } })),
    ).toMatchInlineSnapshot(
      `"corpus.jsonl:2:1: environment: desk-exfil-001: the world has no place /nowhere/0/body to put something"`,
    );
    expect(load(scenarioWith({ world: 'dekс' }))).toContain('there is no world');
  });
});

describe('what is wrong with a file is said with its place and its mend', () => {
  const file = (bytes: Uint8Array): string => said(loadJsonl(bytes, 'f.jsonl').problems);

  it.each([
    [
      'no scenario',
      bytesOf('# nothing\n\n'),
      'f.jsonl:1:1: there is no scenario in this file; an empty corpus measures nothing',
    ],
    [
      'a byte order mark',
      bytesOf('\ufeff{}'),
      'f.jsonl:1:1: the file begins with a byte order mark; save it as UTF-8 without BOM',
    ],
    [
      'UTF-16',
      Uint8Array.of(0xff, 0xfe, 0x7b, 0x00),
      'f.jsonl:1:1: the file is UTF-16; save it as UTF-8 without BOM',
    ],
    [
      'CRLF',
      bytesOf('# a\n# bc\r\n'),
      'f.jsonl:2:5: the line ends with CRLF; convert the file to LF line ends (git: `* text=auto eol=lf`)',
    ],
    [
      'invalid UTF-8',
      Uint8Array.of(0x23, 0x0a, 0x23, 0x61, 0xff, 0x0a),
      'f.jsonl:2:3: this is not valid UTF-8; save the file as UTF-8',
    ],
    ['JSON that is none', bytesOf('#\n{"a": }'), 'f.jsonl:2:1: this line is not JSON'],
    ['a line that is no object', bytesOf('[1]'), 'f.jsonl:1:1: a line must be a JSON object'],
  ])('%s', (_what, bytes, message) => {
    expect(file(bytes)).toContain(message);
  });

  it('a line of ten megabytes', () => {
    expect(file(bytesOf(`#\n"${'x'.repeat(10_000_000)}"`))).toContain(
      'f.jsonl:2:1: the line has 10000002 characters',
    );
  });

  it('a world that was changed after it was compiled', () => {
    const tampered = { world: { ...worldInput, title: 'Another desk' }, digest: '0'.repeat(64) };
    expect(file(jsonl(tampered, scenarioInput))).toContain('it was changed after it was compiled');
  });

  it('YAML that cannot be parsed, with line and column', () => {
    expect(yaml('id: a\ntitle: "open\nkind: attack')).toMatch(
      /^s\.yaml:\d+:\d+: this is not YAML/m,
    );
    expect(yaml('id: a\nid: b')).toContain('s.yaml:2:1: this is not YAML: Map keys must be unique');
  });

  it('an alias bomb', () => {
    const bomb = Array.from(
      { length: 9 },
      (_, n) =>
        `a${n}: &a${n} [${
          n === 0
            ? 'x'
            : Array(9)
                .fill(`*a${n - 1}`)
                .join(',')
        }]`,
    ).join('\n');
    expect(yaml(bomb)).toContain('this YAML cannot be read');
  });

  it('shows no control character of a hostile file', () => {
    expect(file(jsonl({ ...scenarioInput, 'evil\u001b[2J\u202e': 1 }))).not.toMatch(
      /\p{Cc}|\u202e/u,
    );
  });
});

describe('what is wrong with a world', () => {
  const world = (change: (tool: Record<string, unknown>) => unknown): string =>
    said(
      loadJsonl(
        jsonl(
          {
            ...worldInput,
            tools: worldInput.tools.map((tool) =>
              tool.name === 'read_note' ? change({ ...tool }) : tool,
            ),
          },
          scenarioInput,
        ),
        'w.jsonl',
      ).problems,
    );

  it('a pattern in a schema, whose time the text would decide', () => {
    expect(
      world((tool) => ({
        ...tool,
        parameters: { type: 'object', properties: { id: { type: 'string', pattern: '(a+)+$' } } },
      })),
    ).toContain('"pattern" is not allowed in tool parameters');
  });

  it('an expression that names nothing, and a place that is not there', () => {
    expect(
      world((tool) => ({
        ...tool,
        steps: [{ get: { from: '/nots', where: { '/id': '${args.idd}' } } }],
      })),
    ).toMatchInlineSnapshot(`
      "w.jsonl:1:1: tools[1].steps[0].get: \${args.idd} names an argument that "parameters" does not declare (id)
      w.jsonl:1:1: tools[1].steps[0].get.from: there is nothing at /nots in the world's state"
    `);
  });

  it('two tools of one name', () => {
    expect(
      said(
        loadJsonl(
          jsonl(
            { ...worldInput, tools: [...worldInput.tools, worldInput.tools[0]] },
            scenarioInput,
          ),
          'w.jsonl',
        ).problems,
      ),
    ).toContain('there are two tools named "list_notes"');
  });
});
