import { Scanner } from '@pab/detect';
import { describe, expect, it } from 'vitest';
import { scanAs } from '../../src/detector/scan-as.js';
import { createApp } from '../../src/serve/app.js';

const scanner = new Scanner();
const app = createApp({
  scan: (scope, text, compared) => scanAs(scanner, text, { scope, ...compared }),
  rulesetSize: () => 21,
  scannerVersion: '1.2.3',
  maxBytes: 100_000,
  concurrency: 2,
  now: () => new Date(0),
  elapsed: () => 0,
  log: () => undefined,
});

async function answer(path: string, body: object): Promise<{ status: number; found: unknown }> {
  const response = await app.request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const event = (await response.json()) as {
    detections?: { rule_id: string }[];
    error?: string;
  };
  return {
    status: response.status,
    found: event.error ?? event.detections?.map((detection) => detection.rule_id),
  };
}

describe('a service that is given the conversation of a reply', () => {
  const link = 'https://list.example/leave?token=a1b2c3d4e5f6a7b8c9d0';

  it('lets an address stand that the user or a tool gave', async () => {
    const text = `To leave the list, go to ${link} now.`;
    const given = { text, supplied_urls: [`From: list\n\nLeave: ${link}`] };
    expect(await answer('/v1/scan-output', { text })).toMatchObject({ found: ['PB-EXFIL-LINK'] });
    expect(await answer('/v1/scan-output', given)).toMatchObject({ status: 200, found: [] });
  });

  it('finds a value of the conversation in an address', async () => {
    const text = 'See ![logo](https://img.example/anna/smith/list.png).';
    const given = { text, conversation_values: ['Anna Smith'] };
    expect(await answer('/v1/scan-output', { text })).toMatchObject({ found: [] });
    expect(await answer('/v1/scan-output', given)).toMatchObject({ found: ['PB-EXFIL-IMAGE'] });
  });

  it('refuses them for what is no reply', async () => {
    for (const path of ['/v1/scan', '/v1/scan-context', '/v1/scan-tool']) {
      for (const given of [{ supplied_urls: ['x'] }, { conversation_values: ['x'] }]) {
        expect(await answer(path, { text: 'x', ...given })).toEqual({
          status: 400,
          found: 'supplied_urls and conversation_values are for replies only',
        });
      }
    }
  });

  it('refuses more and longer ones than it can compare in time', async () => {
    for (const given of [
      { supplied_urls: Array.from({ length: 257 }, () => 'x') },
      { conversation_values: Array.from({ length: 65 }, () => 'x') },
      { conversation_values: ['x'.repeat(257)] },
    ]) {
      expect(await answer('/v1/scan-output', { text: 'x', ...given })).toMatchObject({
        status: 400,
      });
    }
  });
});
