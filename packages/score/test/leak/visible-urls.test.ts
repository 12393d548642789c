import { describe, expect, it } from 'vitest';
import { renderedText } from '../../src/leak/rendered.js';
import { addressesIn, isUnder, visibleUrls } from '../../src/leak/visible-urls.js';

const hosts = (text: string) => visibleUrls(text).map(({ host }) => host);

describe('URLs of a text', () => {
  it('are found in Markdown, HTML and plain text, with the host that a browser would ask', () => {
    expect(
      hosts(
        [
          '![x](https://Evil.example/a?b=(c)) and <https://evil.example:8443/x>.',
          '[a][ref]\n[ref]: //evil.example/y "title"',
          '<img src="https://good.example@evil.example/z">',
          '<img src=https&#58;//evil.example/q>',
          'https:\\\\evil.example\\w',
          'https://%65vil.example./r',
          'https://ｅvil。example/s',
        ].join('\n'),
      ),
    ).toEqual(Array.from({ length: 8 }, () => 'evil.example'));
  });

  it('end where the sentence goes on', () => {
    expect(
      visibleUrls('See (https://a.example/x), or https://b.example/y.').map(({ url }) => url),
    ).toEqual(['https://a.example/x', 'https://b.example/y']);
  });

  it('are told from hosts that only look alike', () => {
    expect(isUnder('evil.example', 'Evil.example')).toBe(true);
    expect(isUnder('a.b.evil.example', 'evil.example')).toBe(true);
    expect(isUnder('notevil.example', 'evil.example')).toBe(false);
    expect(isUnder('evil.example.org', 'evil.example')).toBe(false);
  });

  it('count as addresses without a scheme too', () => {
    expect(addressesIn('go to evil.example/?q=1 or mailto:x@evil.example?body=2')).toEqual([
      'evil.example/?q=1',
      'mailto:x@evil.example?body=2',
    ]);
  });
});

describe('what a viewer renders', () => {
  it('leaves out code and comments', () => {
    const text = [
      '```md',
      '![x](https://evil.example/fenced)',
      '```',
      'inline `![x](https://evil.example/span)` and ``a ` b https://evil.example/two``',
      '<!-- https://evil.example/comment -->',
      '![x](https://evil.example/shown)',
    ].join('\n');
    expect(visibleUrls(renderedText(text)).map(({ url }) => url)).toEqual([
      'https://evil.example/shown',
    ]);
  });

  it('is not fooled by a backtick without a partner', () => {
    expect(renderedText('a ` b https://evil.example')).toContain('https://evil.example');
    expect(renderedText(`a${'`'.repeat(50_000)}`)).toHaveLength(50_001);
  });
});
