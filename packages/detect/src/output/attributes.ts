import type { Place, PlaceForm } from './places.js';

const LESS = 60;
const GREATER = 62;
const EQUALS = 61;
const LONGEST_NAME = 16;

/** Attributes that can carry a target. `loads`: always, never, or unless the tag is a link. */
const ATTRIBUTES: ReadonlyMap<
  string,
  { readonly loads: boolean | 'by-tag'; readonly form: PlaceForm }
> = new Map([
  ['src', { loads: true, form: 'attribute' }],
  ['lowsrc', { loads: true, form: 'attribute' }],
  ['dynsrc', { loads: true, form: 'attribute' }],
  ['poster', { loads: true, form: 'attribute' }],
  ['background', { loads: true, form: 'attribute' }],
  ['data', { loads: true, form: 'attribute' }],
  ['code', { loads: true, form: 'attribute' }],
  ['archive', { loads: true, form: 'attribute' }],
  ['manifest', { loads: true, form: 'attribute' }],
  ['srcset', { loads: true, form: 'srcset' }],
  ['imagesrcset', { loads: true, form: 'srcset' }],
  ['href', { loads: 'by-tag', form: 'attribute' }],
  ['xlink:href', { loads: 'by-tag', form: 'attribute' }],
  ['action', { loads: false, form: 'attribute' }],
  ['formaction', { loads: false, form: 'attribute' }],
  ['ping', { loads: false, form: 'srcset' }],
  ['cite', { loads: false, form: 'attribute' }],
  ['longdesc', { loads: false, form: 'attribute' }],
  ['style', { loads: true, form: 'style' }],
  ['fill', { loads: true, form: 'style' }],
  ['filter', { loads: true, form: 'style' }],
  ['mask', { loads: true, form: 'style' }],
  ['values', { loads: true, form: 'attribute' }],
  ['to', { loads: true, form: 'attribute' }],
  ['srcdoc', { loads: true, form: 'html' }],
]);

const AMBIGUOUS = new Set(
  'data code archive manifest action cite style fill filter mask values to background'.split(' '),
);

/** Tags in which such a name is an attribute, and its value an address even if it names no host. */
const TAGS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['data', ['object']],
  ['code', ['applet', 'object']],
  ['archive', ['applet', 'object']],
  ['manifest', ['html']],
  ['action', ['form']],
  ['cite', ['blockquote', 'q', 'ins', 'del']],
  ['background', ['body', 'table', 'tr', 'td', 'th']],
  ['values', ['animate']],
  ['to', ['animate', 'set']],
]);

const CLICKED = new Set(['a', 'area', '']);

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isNameUnit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 58
  );
}

/** The name that ends before the equals sign at `at`, lower-cased; empty when there is none. */
function nameBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && at - end < LONGEST_NAME && isBlank(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && end - start < LONGEST_NAME && isNameUnit(text.charCodeAt(start - 1))) {
    start -= 1;
  }
  // Either a tag's attribute, or what code puts together as one; not the parameter of a URL.
  return /[?&#]/.test(text.charAt(start - 1)) ? '' : text.slice(start, end).toLowerCase();
}

/** Where the target of a refresh begins in its `content`. */
function refreshTarget(text: string, start: number, end: number): number {
  const match = /^[\s\d.,;]*(?:url\s*=\s*)?['"]?/i.exec(
    text.slice(start, Math.min(end, start + 64)),
  );
  return start + (match?.[0].length ?? 0);
}

/**
 * Targets in HTML and SVG attributes. Goes from one equals sign to the next and does not ask for a well-formed
 * tag, since renderers disagree about those; a quoted value ends at the next quote of its kind, and where there
 * is none, at the end of the text. Linear: values of one kind of quote do not overlap.
 */
export function attributePlaces(text: string): Place[] {
  const places: Place[] = [];
  if (!text.includes('=')) return places;
  const last = { '"': text.lastIndexOf('"'), "'": text.lastIndexOf("'") };
  let tag = '';
  let unquotedEnd = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LESS) {
      tag = /^[a-z][a-z0-9-]*/i.exec(text.slice(at + 1, at + 1 + LONGEST_NAME))?.[0] ?? '';
      tag = tag.toLowerCase();
    } else if (code === EQUALS && at >= unquotedEnd) {
      const name = nameBefore(text, at);
      const known =
        name === 'content' && tag === 'meta'
          ? { loads: true, form: 'attribute' as const }
          : ATTRIBUTES.get(name);
      // These names are variables in code, too; they count once some tag has been opened.
      if (known === undefined || (tag === '' && AMBIGUOUS.has(name))) continue;
      let start = at + 1;
      while (start < text.length && isBlank(text.charCodeAt(start))) start += 1;
      const quote = text.charAt(start);
      let end: number;
      let open: boolean;
      if (quote === '"' || quote === "'") {
        start += 1;
        open = last[quote] < start;
        end = open ? text.length : text.indexOf(quote, start);
      } else {
        end = start;
        while (end < text.length) {
          const unit = text.charCodeAt(end);
          if (isBlank(unit) || unit === GREATER) break;
          end += 1;
        }
        open = end >= text.length;
        unquotedEnd = end;
      }
      let needsHost = TAGS_OF.get(name)?.includes(tag) === false;
      if (name === 'content') {
        const target = Math.min(end, refreshTarget(text, start, end));
        // The `content` of other tags of this name is text.
        const before = text.slice(start, target);
        needsHost =
          !/=/.test(before) && !(/\d.*[;,]/.test(before) && /[/.?]/.test(text[target] ?? ''));
        start = target;
      }
      const loads = known.loads === 'by-tag' ? !CLICKED.has(tag) : known.loads;
      const base = tag === 'base' && name === 'href';
      places.push({ start, end, loads, form: known.form, open, base, needsHost });
    }
  }
  return places;
}

/** Targets of CSS `url(…)` and of `@import "…"`. An unquoted target holds no parenthesis, so none overlap. */
export function stylePlaces(text: string): Place[] {
  const places: Place[] = [];
  // `u`, `r` and `l` may also be written as CSS escapes.
  const opening =
    /(?:u|\\0{0,4}[57]5 ?)(?:r|\\0{0,4}[57]2 ?)(?:l|\\0{0,4}[46]c ?)\(|@import(?=\s{0,8}["'])|image-set\((?=\s{0,8}["'])/gi;
  let match = opening.exec(text);
  while (match !== null) {
    let start = match.index + match[0].length;
    while (start < text.length && isBlank(text.charCodeAt(start))) start += 1;
    const quote = text.charAt(start);
    const quoted = quote === '"' || quote === "'";
    if (quoted) start += 1;
    let end = start;
    while (end < text.length) {
      const unit = text.charAt(end);
      if (unit === '\\') end += 1;
      else if (quoted ? unit === quote || unit === '\n' : unit === ')' || unit === '(') break;
      end += 1;
    }
    end = Math.min(end, text.length);
    places.push({ start, end, loads: true, form: 'css', open: end >= text.length });
    opening.lastIndex = Math.max(end, match.index + match[0].length);
    match = opening.exec(text);
  }
  return places;
}
