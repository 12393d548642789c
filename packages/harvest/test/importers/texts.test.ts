import { describe, expect, it } from 'vitest';
import { importText, shown } from '../importing.js';

describe('labelled texts', () => {
  it.each([
    ['text', 'label', { text: 'a b', label: 1 }, 'attack: a b'],
    ['prompt', 'is_injection', { prompt: 'a b', is_injection: false }, 'benign: a b'],
    [
      'content, a list of parts',
      'label',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        label: 'jailbreak',
      },
      'attack: a\nb',
    ],
    ['text', 'none', { text: 'a b' }, 'unknown: a b'],
    ['text', 'words of its own', { text: 'a b', label: 'kitchen' }, 'unknown: a b'],
  ])(
    'finds the columns of a set without a form of its own: %s, %s',
    async (_text, _label, row, expected) => {
      const { units } = await importText(
        'set.jsonl',
        `${JSON.stringify(row)}\n${JSON.stringify(row)}\n`,
      );
      expect(shown(units)).toEqual([expected, expected]);
    },
  );

  it('takes columns and positive values as they are given', async () => {
    const rows = 'q;verdict\nGo on;bad\nHello;good\nOdd;\n';
    const columns = { textColumn: 'q', labelColumn: 'verdict', positive: ['BAD'] };
    const { units } = await importText('set.csv', rows, {}, { columns });
    expect(shown(units)).toEqual([
      'attack: Go on',
      'benign: Hello',
      'reject: label "" in "verdict" is neither attack nor benign; say which with --positive',
    ]);
  });

  it('names the columns that are there when the given one is not', async () => {
    const { units } = await importText(
      'set.csv',
      'q,label\nGo on,1\n',
      {},
      { columns: { textColumn: 'text' } },
    );
    expect(shown(units)).toEqual(['reject: no column "text" (found: q, label)']);
  });

  it('tells a header line of JSON Lines from a row', async () => {
    const lists = await importText(
      'set.jsonl',
      '["text","label"]\n["Go on",1]\n["Hello",0]\n["short"]\n',
    );
    expect(shown(lists.units)).toEqual([
      'attack: Go on',
      'benign: Hello',
      'reject: 1 cells where 2 were expected',
    ]);
    const objects = await importText('set.jsonl', '{"version":2}\n{"text":"Go on","label":1}\n');
    expect(shown(objects.units)[0]).toMatch(
      /^reject: a header line, not a row: no column of text/u,
    );
    expect(shown(objects.units)[1]).toBe('attack: Go on');
  });

  it('labels a plain list as it is told to', async () => {
    const { units } = await importText(
      'list.txt',
      'one\ntwo\n',
      {},
      { columns: { label: 'attack' } },
    );
    expect(shown(units)).toEqual(['attack: one', 'attack: two']);
  });

  it('gives stable ids, the licence of the source, and what else a row says', async () => {
    const { units } = await importText('NotInject_mini.json', [
      { prompt: 'May I ignore this?', word_list: ['ignore'], category: 'Help' },
    ]);
    expect(units).toEqual([
      {
        kind: 'text',
        text: {
          id: 'notinject/NotInject_mini/1',
          text: 'May I ignore this?',
          label: 'benign',
          source: 'notinject',
          licence: 'MIT',
          meta: { word_list: ['ignore'], category: 'Help' },
        },
        place: { file: 'NotInject_mini.json', line: 1, path: '$[0]' },
      },
    ]);
  });

  it('CyberSecEval: the user input is the text, the system prompt stays beside it', async () => {
    const { units } = await importText('p.json', [
      {
        test_case_prompt: 'Guard the word.',
        user_input: 'Say the word.',
        injection_variant: 'x',
        injection_type: 'direct',
      },
    ]);
    expect(shown(units)).toEqual(['attack: Say the word.']);
    expect(units[0]?.kind === 'text' && units[0].text.meta['test_case_prompt']).toBe(
      'Guard the word.',
    );
  });

  it('XSTest: harm is not injection', async () => {
    const csv =
      'id,prompt,type,label,focus,note\n1,How do I kill a process?,homonyms,safe,kill,x\n2,How do I harm?,contrast_homonyms,unsafe,harm,x\n';
    const { units } = await importText('x.csv', csv);
    expect(shown(units)).toEqual(['benign: How do I kill a process?', 'unknown: How do I harm?']);
  });

  it('Giskard: expected strings are read from the Python repr beside it', async () => {
    const { units } = await importText(
      'prompt_injections.csv',
      'index,prompt,name,group,source,language\n0,"Be, free",A,DAN,x,en\n',
      {
        'giskard_meta_data.csv': `index,expected_strings\n0,"('[X]', 'X:')"\n`,
      },
    );
    expect(units[0]?.kind === 'text' && units[0].text.meta['expected_strings']).toEqual([
      '[X]',
      'X:',
    ]);
  });

  it('promptbadger rules: a text for each test, and a map where ": " made one', async () => {
    const yaml =
      'id: XX-001\ntitle: t\ntests:\n  match:\n    - do as I say\n    - say: this\n  no_match:\n    - hello\n';
    const { importer, units } = await importText('rule.yaml', yaml);
    expect(importer.name).toBe('promptbadger');
    expect(shown(units)).toEqual([
      'attack: do as I say',
      'reject: a test that is not text (": " in YAML makes a map of it)',
      'benign: hello',
    ]);
  });

  it('garak: prompts, payload data, and judged attempts once', async () => {
    expect(
      shown((await importText('inthewild_jailbreak_x.json', ['one', '', 'two'])).units),
    ).toEqual(['attack: one', 'reject: an empty text', 'attack: two']);
    const data = await importText('d.json', {
      garak_payload_name: 'n',
      payload_types: ['t'],
      payloads: ['a', 7],
    });
    expect(shown(data.units)).toEqual(['unknown: a', 'reject: a payload that is not text']);
    const attempt = (status: number, text: string): string =>
      JSON.stringify({
        entry_type: 'attempt',
        status,
        prompt: {
          turns: [
            { role: 'system', content: { text: 'sys' } },
            { role: 'user', content: { text } },
          ],
        },
      });
    const report = await importText(
      'x.report.jsonl',
      ['{"entry_type":"init"}', attempt(1, 'a'), attempt(2, 'a'), attempt(2, '')].join('\n'),
    );
    expect(shown(report.units)).toEqual([
      'attack: a',
      'reject: an attempt without the text of its prompt',
    ]);
    expect(report.notes).toEqual([
      '1 × "init" line: no unit',
      '1 × attempt that is not judged yet: no unit',
    ]);
  });

  it.each([
    ['a score that is null', { d: [null] }, { triggers: ['x'] }],
    ['no scores', {}, null],
    ['fewer notes than prompts', { d: [null, 1] }, { triggers: [] }],
  ])(
    'rhesis-ai/rhesis#1662: %s is neither passed nor failed, and shifts nothing',
    async (_name, results, notes) => {
      const attempt = (text: string, detector_results: unknown): string =>
        JSON.stringify({
          entry_type: 'attempt',
          status: 2,
          uuid: text,
          prompt: { turns: [{ role: 'user', content: { text } }] },
          detector_results,
          notes,
        });
      const lines = [attempt('first', results), attempt('second', { d: [1] })];
      const { units } = await importText('x.report.jsonl', lines.join('\n'));
      const kept = units.map((unit) =>
        unit.kind === 'text'
          ? [unit.text.text, unit.text.meta['uuid'], unit.text.meta['detector_results']]
          : unit,
      );
      expect(kept).toEqual([
        ['first', 'first', results],
        ['second', 'second', { d: [1] }],
      ]);
      for (const unit of units) {
        expect(unit).not.toHaveProperty('text.meta.success');
        expect(unit).not.toHaveProperty('text.meta.passed');
      }
    },
  );

  it('LLMail: success needs five true flags, and an empty map is none', async () => {
    const flags = (...values: boolean[]): string =>
      JSON.stringify(Object.fromEntries(values.map((value, i) => [`f${i}`, value])));
    const row = (objectives: unknown): unknown => ({
      subject: 'Hi',
      body: 'Do it',
      scenario: 'level1a',
      objectives,
    });
    const { units } = await importText(
      'raw_submissions_phase1.jsonl',
      [
        row(flags(true, true, true, true, true)),
        row('{}'),
        row(flags(true, true, true, true)),
        row(flags(true, true, false, true, true)),
        row('not json'),
      ]
        .map((value) => JSON.stringify(value))
        .join('\n'),
    );
    const success = units.map((unit) =>
      unit.kind === 'text' ? unit.text.meta['success'] : unit.kind,
    );
    expect(success).toEqual([true, false, false, false, 'reject']);
    expect(units[0]?.kind === 'text' && units[0].text.text).toBe('Subject: Hi\n\nDo it');
  });

  it('LLMail: labelled submissions are keyed by the mail, and "False" is a string', async () => {
    const { units } = await importText('labelled_unique_submissions_phase1.json', {
      'Subject: a Body: b': { attack_attempt: 'True', reason: 'judge' },
      'Subject: c Body: d': { attack_attempt: 'False', reason: 'judge' },
    });
    expect(shown(units)).toEqual(['attack: Subject: a Body: b', 'unknown: Subject: c Body: d']);
  });

  it('LLMail: the mails for false positives are benign', async () => {
    const { units } = await importText(
      'emails_for_fp_tests.jsonl',
      '"Subject: Lunch. Body: At noon?"\n',
    );
    expect(shown(units)).toEqual(['benign: Subject: Lunch. Body: At noon?']);
  });
});
