import type { View, ViewNotice, Views } from '../types.js';
import { decoders, hiddenChannels } from './decoders/decoders.js';
import { type Layer, rawLayer } from './layer.js';
import { countWords } from './legibility.js';
import { normalize } from './normalize.js';
import { Phrases } from './novelty.js';
import type { Reading } from './reading.js';
import { tokenize } from './tokens.js';

export interface DecodeOptions {
  /** False leaves only `original` and the notices. */
  readonly deobfuscate?: boolean;
  /** Decoders applied one after another to one reading. */
  readonly maxDepth?: number;
  /** Readings looked at for one text. */
  readonly maxReadings?: number;
  /** UTF-16 units of all readings together beyond the text itself, as a multiple of its length. */
  readonly maxGrowth?: number;
}

/** Every text may spend this many units on readings, however short it is. */
const FREE_UNITS = 65_536;

interface Node extends Reading {
  readonly name: string;
  readonly depth: number;
  readonly score: number;
}

function makeNode(name: string, depth: number, source: Layer): Node {
  const shown = normalize(source);
  const tokens = tokenize(shown.text);
  const { known, triggers, hidden } = countWords(tokens);
  const score = 8 * triggers + 4 * hidden + known - shown.text.length / 512;
  return { name, depth, source, shown, tokens, score };
}

function joinName(parent: string, name: string): string {
  if (parent === '') return name;
  return parent === name || parent.endsWith(`+${name}`) ? parent : `${parent}+${name}`;
}

/**
 * All readings of a text: the original first, then what decoders make of it, any after any other,
 * the most telling first. Time and memory are linear in the text.
 */
export function decodeViews(text: string, options: DecodeOptions = {}): Views {
  const { deobfuscate = true, maxDepth = 8, maxReadings = 48, maxGrowth = 3 } = options;
  const notices: ViewNotice[] = [];
  const seenNotices = new Set<string>();
  const notice = (found: ViewNotice): void => {
    const key = `${found.kind} ${found.span.start} ${found.span.end}`;
    if (seenNotices.has(key) || notices.length >= 64) return;
    seenNotices.add(key);
    notices.push(found);
  };
  const root = makeNode('', 0, rawLayer(text));
  const views: View[] = [{ name: 'original', ...root.shown }];
  if (!deobfuscate) {
    for (const decoder of hiddenChannels) decoder.decode(root, notice);
    return { views, notices };
  }
  const seen = new Set<string>([root.shown.text]);
  const phrases = new Phrases(text.length);
  phrases.take(root.shown.text, root.tokens);
  const queue: Node[] = [root];
  let budget = text.length * maxGrowth + FREE_UNITS;
  let readings = 0;
  let exhausted: string | undefined;
  while (queue.length > 0 && exhausted === undefined) {
    const node = takeBest(queue);
    for (const decoder of decoders) {
      const result = decoder.decode(node, notice);
      if (result === undefined) continue;
      for (const decoded of 'layer' in result ? [result] : result) {
        if (decoded.layer.text.length === 0 || seen.has(decoded.layer.text)) continue;
        seen.add(decoded.layer.text);
        if (node.depth >= maxDepth) {
          exhausted = `more than ${maxDepth} encodings inside each other`;
          continue;
        }
        budget -= decoded.layer.text.length;
        readings += 1;
        if (budget < 0 || readings > maxReadings) {
          exhausted = budget < 0 ? 'decoded text longer than the bound' : 'too many readings';
          break;
        }
        const child = makeNode(joinName(node.name, decoded.name), node.depth + 1, decoded.layer);
        if (phrases.take(child.shown.text, child.tokens) === 0) continue;
        queue.push(child);
        if (decoded.legible) views.push({ name: child.name, ...child.shown });
      }
      if (exhausted !== undefined) break;
    }
  }
  if (exhausted !== undefined) {
    notice({
      kind: 'budget-exhausted',
      detail: exhausted,
      span: { start: 0, end: text.length },
    });
  }
  return { views, notices };
}

function takeBest(queue: Node[]): Node {
  let best = 0;
  for (let i = 1; i < queue.length; i += 1) {
    if ((queue[i]?.score ?? 0) > (queue[best]?.score ?? 0)) best = i;
  }
  const [node] = queue.splice(best, 1);
  if (node === undefined) throw new RangeError('the queue is empty');
  return node;
}
