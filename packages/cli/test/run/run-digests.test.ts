import { digest, digestText, type Transcript } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { digestJson, digestTranscript, transcriptText } from '../../src/run/run-digests.js';

describe('digests of a run', () => {
  it('are those of the canonical JSON, for any shape and a second time', () => {
    const message = { role: 'user', b: undefined, a: [1, -0, 1e21, null, { z: 1, é: '\ud800' }] };
    const shapes: readonly unknown[] = [
      null,
      'text',
      4.5,
      [],
      [message, [message]],
      {},
      { tools: [message], messages: [message, 'x', message, []], empty: undefined },
      { b: { y: 1, x: message }, a: true, '': [[3], { c: 1, b: 2 }] },
    ];
    for (const value of shapes) {
      expect([digestJson(value), digestJson(value)]).toEqual([digest(value), digest(value)]);
    }
  });

  it('are of the transcript as JSON.stringify writes it', () => {
    const tools = [{ name: 't', description: [], parameters: { type: 'object' }, effect: 'read' }];
    const prompt = {
      type: 'prompt',
      session: 0,
      turn: 0,
      messages: [{ role: 'user', parts: [{ text: 'a "b"\n\u2028', provenance: 'user' }] }],
      tools,
      untouched: true,
      actions: undefined,
    };
    const transcript = {
      entries: [prompt, { type: 'output', text: '', seen: '\ud800' }, prompt],
      stop: 'done',
      error: undefined,
      usage: { modelCalls: 1, inputTokens: 0, outputTokens: 0 },
    } as unknown as Transcript;
    expect(transcriptText(transcript)).toBe(JSON.stringify(transcript));
    expect(digestTranscript(transcript)).toBe(digestText(transcriptText(transcript)));
  });
});
