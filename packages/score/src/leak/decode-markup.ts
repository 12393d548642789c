const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    excl: '!',
    num: '#',
    dollar: '$',
    percnt: '%',
    lpar: '(',
    rpar: ')',
    ast: '*',
    plus: '+',
    comma: ',',
    hyphen: '-',
    dash: '-',
    period: '.',
    sol: '/',
    colon: ':',
    semi: ';',
    equals: '=',
    quest: '?',
    commat: '@',
    lsqb: '[',
    rsqb: ']',
    bsol: '\\',
    lowbar: '_',
    grave: '`',
    vert: '|',
    tilde: '~',
    NewLine: '\n',
    Tab: '\t',
  }),
);

function fromCodePoint(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\ufffd';
}

/** Numeric entities with or without `;`, and the named ones for ASCII; one pass, so `&amp;#65;` gives `&#65;`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#[xX]([0-9a-fA-F]{1,6});?|#([0-9]{1,7});?|([A-Za-z]{2,8});)/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (hex !== undefined) return fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return fromCodePoint(Number(decimal));
      return NAMED.get(name ?? '') ?? whole;
    },
  );
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['"', '"'],
  ["'", "'"],
  ['/', '/'],
  ['\\', '\\'],
]);

/** JSON and Unicode escapes: `\u0041`, `\u{41}`, `\U00000041`, `\x41`, `\n`, `\"`, `U+0041`; one pass. */
export function decodeEscapes(escaped: string): string {
  const text = escaped.includes('+')
    ? escaped.replace(/\bU\+([0-9a-fA-F]{4,6})(?![0-9a-fA-F])/gi, (_, hex: string) =>
        fromCodePoint(Number.parseInt(hex, 16)),
      )
    : escaped;
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([nrtbf"'/\\]))/g,
    (whole, ...groups: readonly (string | undefined)[]) => {
      const [braced, four, eight, two, simple] = groups;
      if (simple !== undefined) return SIMPLE.get(simple) ?? whole;
      if (four !== undefined) return String.fromCharCode(Number.parseInt(four, 16));
      return fromCodePoint(Number.parseInt(braced ?? eight ?? two ?? '', 16));
    },
  );
}

/** Percent-encoded bytes as UTF-8; what is no valid encoding stays as it is. One pass. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = new Uint8Array(run.length / 3);
    for (let index = 0; index < bytes.length; index += 1) {
      bytes[index] = Number.parseInt(run.slice(index * 3 + 1, index * 3 + 3), 16);
    }
    return new TextDecoder().decode(bytes);
  });
}
