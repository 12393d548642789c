const DIAGRAM =
  /^(?:\{"code": ?"|---[^-]{0,200}---\s*|%%[^\n]{0,200}\n)?(?:(?:graph|flowchart) ?(?:TB|TD|BT|RL|LR)\b|sequenceDiagram\b|classDiagram\b|stateDiagram(?:-v2)?\b|erDiagram\b|gantt\b|pie\b|mindmap\b|journey\b|gitGraph\b|timeline\b|@start(?:uml|mindmap|gantt)\b|(?:strict )?(?:di)?graph \w{0,40} ?\{)/;
const CHART = /^\{\s*["']?(?:type|chart|data|labels|datasets|series|\$schema)["']?\s*:/;
/** A label that names a thing and gives its number; years are in many. */
const NUMBERED = /\p{L}{3,}[^\p{L}\d'"]{1,12}(?!(?:19|20)\d\d(?!\d))\d{4}/u;
const LABEL = /"[^"]{1,400}"|'[^']{1,400}'|\[[^[\]]{1,400}\]|\([^()]{1,400}\)/g;

/** More than a label: a sentence that somebody wanted to get out. */
const SENTENCE = /(?:\p{L}+[ ,]+){6}\p{L}/u;

/**
 * Whether a text is a drawing in the words of a service that draws it, as replies show charts and diagrams by. Its labels
 * come out of the conversation, so it is not harmless; sentences and numbers that somebody keeps are no labels.
 */
export function isDrawing(text: string): boolean {
  if (SENTENCE.test(text)) return false;
  if (CHART.test(text)) {
    return !(text.match(LABEL) ?? []).some((label) => NUMBERED.test(label));
  }
  return DIAGRAM.test(text) && !NUMBERED.test(text);
}
