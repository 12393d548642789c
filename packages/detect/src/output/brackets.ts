import type { Place } from './places.js';

const OPEN = 91;
const CLOSE = 93;
const BACKSLASH = 92;
const BANG = 33;
const ROUND_OPEN = 40;
const ROUND_CLOSE = 41;
const COLON = 58;
const ANGLE_OPEN = 60;
const ANGLE_CLOSE = 62;
const NEWLINE = 10;
/** CommonMark gives labels of link references at most 999 characters. */
const LONGEST_LABEL = 999;

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function labelOf(text: string, start: number, end: number): string {
  if (end - start > LONGEST_LABEL) return '';
  return text.slice(start, end).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

interface Destination {
  readonly start: number;
  readonly end: number;
  /** The text ends before the destination does. */
  readonly open: boolean;
}

/**
 * The destination that begins at `from`: between angle brackets, or up to white space or the parenthesis that
 * closes it. It stops before the next `](`, so that all destinations of a text together are read once.
 */
function destinationAt(text: string, from: number): Destination {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  if (text.charCodeAt(at) === ANGLE_OPEN) {
    const start = at + 1;
    at = start;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === ANGLE_CLOSE || code === NEWLINE) return { start, end: at, open: false };
      if (code === CLOSE && text.charCodeAt(at + 1) === ROUND_OPEN) {
        return { start, end: at, open: false };
      }
      at += 1;
    }
    return { start, end: at, open: true };
  }
  const start = at;
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code <= 32) break;
    if (code === BACKSLASH) at += 1;
    else if (code === ROUND_OPEN) depth += 1;
    else if (code === ROUND_CLOSE) {
      if (depth === 0) return { start, end: at, open: false };
      depth -= 1;
    } else if (code === CLOSE && text.charCodeAt(at + 1) === ROUND_OPEN) {
      return { start, end: at, open: false };
    }
    at += 1;
  }
  if (at >= text.length) return { start, end: text.length, open: true };
  return withSpaces(text, start, at);
}

/** Some renderers take spaces in a destination; what follows on the line belongs to it unless it is a title. */
function withSpaces(text: string, start: number, strict: number): Destination {
  let at = strict;
  while (at < text.length && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at += 1;
  if (at >= text.length) return { start, end: strict, open: true };
  const next = text.charAt(at);
  if (next === '"' || next === "'" || next === '(') return { start, end: strict, open: false };
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) break;
    if (code === ROUND_OPEN) depth += 1;
    else if (code === ROUND_CLOSE) {
      if (depth === 0) return { start, end: at, open: false };
      depth -= 1;
    } else if (code === CLOSE && text.charCodeAt(at + 1) === ROUND_OPEN) break;
    at += 1;
  }
  return { start, end: strict, open: at >= text.length };
}

/** The target of `[label]: target`, when the pair that closed at `close` begins a line. */
function definitionAt(text: string, open: number, close: number): Destination | undefined {
  if (text.charCodeAt(close + 1) !== COLON) return undefined;
  let before = open - 1;
  while (before >= 0 && open - before <= 4 && text.charCodeAt(before) === 32) before -= 1;
  // Also within a quote or a list, as renderers allow.
  if (before >= 0 && !'\n\r>-*+'.includes(text.charAt(before))) return undefined;
  let at = close + 2;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  const angled = text.charCodeAt(at) === ANGLE_OPEN;
  const start = angled ? at + 1 : at;
  at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (angled ? code === ANGLE_CLOSE || code === NEWLINE : code <= 32) break;
    if (code === CLOSE && text.charCodeAt(at + 1) === COLON) break;
    at += 1;
  }
  return { start, end: at, open: at >= text.length };
}

interface Pair {
  readonly close: number;
  readonly image: boolean;
}

/**
 * Link and image targets of Markdown, inline and by reference. One pass with a stack of open brackets;
 * labels are read only where no bracket stands within, as CommonMark has it, so that they do not overlap.
 */
export function bracketPlaces(text: string): Place[] {
  const places: Place[] = [];
  const definitions: { label: string; destination: Destination }[] = [];
  const imageLabels = new Set<string>();
  // Each entry is twice the position of an open bracket, plus one when it opens an image.
  const stack: number[] = [];
  let leafFrom = -1;
  let strayImage = false;
  let previous: Pair | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      at += 1;
    } else if (code === NEWLINE) {
      if (text.charCodeAt(at + 1) === NEWLINE) strayImage = false;
    } else if (code === OPEN) {
      const image = at > 0 && text.charCodeAt(at - 1) === BANG;
      if (image) strayImage = true;
      stack.push(at * 2 + (image ? 1 : 0));
      leafFrom = at;
    } else if (code === CLOSE) {
      const entry = stack.pop();
      // An image whose brackets do not match for us may match for a renderer that reads code spans first.
      const image = entry === undefined ? strayImage : entry % 2 === 1;
      const open = entry === undefined ? at : Math.floor(entry / 2);
      const leaf = entry !== undefined && leafFrom === open;
      leafFrom = -1;
      if (leaf) {
        const follows = previous !== undefined && previous.close + 1 === open;
        if (image || (follows && previous?.image === true)) {
          imageLabels.add(labelOf(text, open + 1, at));
        }
        const definition = definitionAt(text, open, at);
        if (definition !== undefined) {
          definitions.push({ label: labelOf(text, open + 1, at), destination: definition });
        }
      }
      if (text.charCodeAt(at + 1) === ROUND_OPEN) {
        const { start, end, open: unfinished } = destinationAt(text, at + 2);
        places.push({ start, end, loads: image, form: 'markdown', open: unfinished });
        if (image) strayImage = false;
      }
      previous = { close: at, image };
    }
  }
  for (const { label, destination } of definitions) {
    const { start, end, open } = destination;
    const loads = imageLabels.has(label);
    places.push({ start, end, loads, form: 'markdown', open, definition: true });
  }
  return places;
}
