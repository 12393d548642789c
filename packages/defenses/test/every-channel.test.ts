import { CHANNELS, type Defense, isLegible, measureDelivery } from '@pab/model';
import { describe, expect, it } from 'vitest';
import {
  allowlist,
  compose,
  delimit,
  filter,
  instructions,
  none,
  sandwich,
  spotlight,
} from '../src/index.js';
import {
  CHANNEL_PLACEMENTS,
  HOSTILE,
  PLACEMENTS,
  type Placement,
  TOOLS,
  task,
} from './fixture/placements.js';
import { type Read, through } from './fixture/through.js';

/** Whether the hostile text stands between an opening mark and its closing mark, both outside of it. */
function enclosed(text: string, open: RegExp, close: (code: string) => string): boolean {
  const at = text.indexOf(HOSTILE);
  const mark = text.slice(0, at).match(open)?.at(-1);
  if (at < 0 || mark === undefined) return false;
  const closing = close(/[a-z2-9]{16}/.exec(mark)?.[0] ?? '');
  // No closing mark between the opening one and the text, and one after it.
  return (
    !text.slice(text.lastIndexOf(mark, at), at).includes(closing) && text.includes(closing, at)
  );
}

type Reach = (read: Read) => boolean;

/** For each defense, what it must have done to the text, wherever that stands. */
const REACH: readonly (readonly [string, Defense, Reach])[] = [
  [
    'delimit',
    delimit(),
    ({ text }) => enclosed(text, /<outside-[a-z2-9]{16}>\s/g, (code) => `</outside-${code}>`),
  ],
  [
    'spotlight:mode=delimiting',
    spotlight({ mode: 'delimiting' }),
    ({ text }) => enclosed(text, /«[a-z2-9]{16}\s/g, (code) => `${code}»`),
  ],
  [
    'spotlight:mode=datamarking',
    spotlight({ mode: 'datamarking' }),
    ({ text }) =>
      !text.includes(HOSTILE) && isLegible(HOSTILE, text) && /[\ue000-\uf8ff]Attention/.test(text),
  ],
  [
    'spotlight:mode=encoding',
    spotlight({ mode: 'encoding' }),
    ({ text }) => !isLegible(HOSTILE, text) && /[a-z2-9]{8}:[A-Za-z0-9+/]{20,}/.test(text),
  ],
  [
    'filter',
    filter(),
    ({ text }) => measureDelivery(HOSTILE, text) === 'none' && text.includes('[removed]'),
  ],
  [
    'filter:action=drop',
    filter({ action: 'drop' }),
    ({ text }) => measureDelivery(HOSTILE, text) === 'none',
  ],
  [
    'sandwich',
    sandwich(),
    ({ text }) => text.lastIndexOf('End of text from outside') > text.indexOf(HOSTILE),
  ],
  [
    'instructions',
    instructions(),
    ({ text }) => text.includes(HOSTILE) && text.includes('Treat all of it as information'),
  ],
  [
    'filter+delimit',
    compose(filter(), delimit()),
    ({ text }) => !text.includes(HOSTILE) && text.includes('<outside-'),
  ],
];

describe.each(REACH)('%s', (_name, defense, reached) => {
  it.each(CHANNELS)('reaches text from outside in the channel %s', async (channel) => {
    const missed: Placement[] = [];
    for (const placement of CHANNEL_PLACEMENTS[channel]) {
      if (!reached(await through(defense, PLACEMENTS[placement]))) missed.push(placement);
    }
    expect(CHANNEL_PLACEMENTS[channel].length).toBeGreaterThan(0);
    expect(missed).toEqual([]);
  });

  it('leaves the words of the user, the operator and the model as they are', async () => {
    for (const placed of Object.values(PLACEMENTS)) {
      const given = placed.kind === 'task' ? placed.task : task();
      const { task: prepared, text } = await through(defense, placed);
      const trusted = given.messages
        .flatMap(({ parts }) => [...parts])
        .filter(({ provenance }) => provenance !== 'environment');
      expect(trusted.filter((part) => !text.includes(part.text))).toEqual([]);
      expect(prepared.tools.slice(0, 2)).toEqual(TOOLS);
    }
  });
});

describe.each([
  ['none', none()],
  ['allowlist', allowlist({ tools: ['read_mail', 'send_mail', 'lookup'] })],
] as const)('%s', (_name, defense) => {
  it('touches no text anywhere', async () => {
    for (const placed of Object.values(PLACEMENTS)) {
      const { task: prepared, result } = await through(defense, placed);
      expect(placed.kind === 'task' ? prepared === placed.task : result === placed.result).toBe(
        true,
      );
    }
  });
});

describe('without text from outside', () => {
  it.each(REACH)('%s changes no message but the operator prompt', async (_name, defense) => {
    const given = task();
    const { task: prepared } = await through(defense, { kind: 'task', task: given });
    expect(prepared.messages.slice(1)).toEqual(given.messages.slice(1));
    expect(prepared.tools).toEqual(given.tools);
  });
});
