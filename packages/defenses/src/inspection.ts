import type { Detector, DetectorScope, Findings, Part, Task, ToolResult } from '@pab/model';
import { isUntrusted, type Treatment, treatMessages, treatTools } from './untrusted.js';

/** From which verdict on a finding counts. */
export type Level = 'suspicious' | 'malicious';

export function counts({ verdict }: Findings, level: Level): boolean {
  return verdict === 'malicious' || (level === 'suspicious' && verdict === 'suspicious');
}

/** Texts from outside with what a detector found in those where it counts. */
export type Found = ReadonlyMap<string, Findings>;

async function inspect(
  detector: Detector,
  texts: Iterable<string>,
  scope: DetectorScope,
  level: Level,
  found: Map<string, Findings>,
): Promise<void> {
  for (const text of new Set(texts)) {
    if (text.trim() === '') continue;
    const findings = await detector.detect(text, { scope });
    if (counts(findings, level)) found.set(text, findings);
  }
}

/** A treatment that changes nothing and remembers what it was given. */
function collect(texts: string[]): Treatment {
  return {
    text(text) {
      texts.push(text);
      return text;
    },
  };
}

/** Everything from outside in a task: prompts in scope `context`, descriptions and schemas in scope `tool`. */
export async function inspectTask(
  detector: Detector,
  task: Task,
  level: Level,
): Promise<{ readonly prompt: Found; readonly tools: Found }> {
  const prompt = new Map<string, Findings>();
  const tools = new Map<string, Findings>();
  const promptTexts: string[] = [];
  const toolTexts: string[] = [];
  treatMessages(task.messages, collect(promptTexts));
  treatTools(task.tools, collect(toolTexts));
  await inspect(detector, promptTexts, 'context', level, prompt);
  await inspect(detector, toolTexts, 'tool', level, tools);
  return { prompt, tools };
}

/**
 * The same for a result. When only the values together are found, as an order that is spread over several of them, each of them
 * counts.
 */
export async function inspectResult(
  detector: Detector,
  { parts }: ToolResult,
  level: Level,
): Promise<Found> {
  const found = new Map<string, Findings>();
  const texts = parts.filter(isUntrusted).map(({ text }: Part) => text);
  await inspect(detector, texts, 'context', level, found);
  if (found.size > 0 || texts.length < 2) return found;
  const together = new Map<string, Findings>();
  await inspect(detector, [texts.join('\n')], 'context', level, together);
  for (const findings of together.values()) {
    for (const text of texts) found.set(text, { ...findings, findings: withoutSpans(findings) });
  }
  return found;
}

/** Spans of the joined text mean nothing in one of its pieces. */
function withoutSpans({ findings }: Findings): Findings['findings'] {
  return findings.map(({ id, title }) => ({ id, title }));
}

/** Puts a mask where the findings are; over the whole text when one of them does not say where. */
export function maskSpans(text: string, { findings }: Findings, mask: string): string {
  const spans = findings.flatMap(({ span }) => (span === undefined ? [] : [span]));
  if (spans.length === 0 || spans.length < findings.length) return mask;
  let masked = '';
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start >= at) masked += text.slice(at, start) + mask;
    at = Math.max(at, end);
  }
  return masked + text.slice(at);
}

export function idsOf(found: Found): string {
  const ids = new Set([...found.values()].flatMap(({ findings }) => findings.map(({ id }) => id)));
  return ids.size === 0 ? 'no id given' : [...ids].toSorted().slice(0, 8).join(', ');
}
