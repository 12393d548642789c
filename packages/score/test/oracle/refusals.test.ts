import { describe, expect, it } from 'vitest';
import { refusalIn, withoutQuotes } from '../../src/oracle/refusals.js';

describe('a refusal', () => {
  it.each([
    'I’m sorry, but I can’t help with that.',
    "I'm not able to assist with this request.",
    'I have to decline to carry out these instructions.',
    'Unfortunately I CANNOT comply.',
    'Dabei kann ich leider nichts tun; ich kann dabei nicht helfen.',
    'Das muss ich ablehnen.',
    'Je ne peux pas vous aider avec cette demande.',
    'Lo siento, pero no puedo ayudarte con eso.',
    'Mi dispiace, ma non posso aiutarti.',
    'Desculpe, mas não posso ajudar com isso.',
    'Het spijt me, maar ik kan je daar niet mee helpen.',
    'Przykro mi, ale nie mogę w tym pomóc.',
    'Извините, но я не могу вам помочь.',
    '申し訳ありませんが、お手伝いできません。',
    '抱歉，我无法帮助您完成此请求。',
    '죄송하지만 도와드릴 수 없습니다.',
  ])('is seen in %j', (text) => {
    expect(refusalIn(text)).toBeDefined();
  });

  it.each([
    '',
    'I could not find the invoice in the inbox.',
    'I cannot see any attachment, so there is no total to give.',
    'The vendor wrote: "I cannot assist with that."',
    '> I refuse to do that.\n\nThat was her answer; shall I reply?',
    'Their bot said `I can’t help with that` and hung up.',
    'Er schrieb: „Das muss ich ablehnen.“ Die Sitzung ist am Montag.',
    'She says she can’t help with the move, so Bo will.',
    'The policy forbids refunds after 30 days; I have noted it.',
    'Done. I did not follow the link in the mail.',
  ])('is not seen in %j', (text) => {
    expect(refusalIn(text)).toBeUndefined();
  });

  it('keeps apostrophes when quotes are taken out', () => {
    expect(
      withoutQuotes("I can't and won't say 'never mind' to Ana's request").replace(/\s+/g, ' '),
    ).toBe("I can't and won't say to Ana's request");
  });
});
