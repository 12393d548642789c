/** Blanks fenced blocks: what stands between lines of three or more backticks or tildes is shown, not rendered. */
function withoutFences(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) {
      // A line with backticks after its backticks is a code span, not a fence.
      if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) kept.push(line);
      else fence = mark;
    } else if (mark?.startsWith(fence) === true && info.trim() === '') fence = undefined;
  }
  return kept.join('\n');
}

/** Blanks code spans: a run of backticks up to the next run of the same length. */
function withoutCodeSpans(markdown: string): string {
  const runs = [...markdown.matchAll(/`+/g)].map((match) => ({
    start: match.index,
    length: match[0].length,
  }));
  if (runs.length < 2) return markdown;
  // For each length the places of its runs, so that finding the partner takes one step.
  const places = new Map<number, number[]>();
  for (const { start, length } of runs) {
    const list = places.get(length);
    if (list === undefined) places.set(length, [start]);
    else list.push(start);
  }
  const cursors = new Map<number, number>();
  let kept = '';
  let from = 0;
  for (const { start, length } of runs) {
    if (start < from) continue;
    const list = places.get(length) ?? [];
    let cursor = cursors.get(length) ?? 0;
    while (cursor < list.length && (list[cursor] ?? 0) <= start) cursor += 1;
    cursors.set(length, cursor);
    const partner = list[cursor];
    if (partner === undefined) continue;
    kept += `${markdown.slice(from, start)} `;
    from = partner + length;
  }
  return kept + markdown.slice(from);
}

/** Drops HTML comments, which nothing renders. */
function withoutComments(markdown: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const open = markdown.indexOf('<!--', from);
    const close = open < 0 ? -1 : markdown.indexOf('-->', open + 4);
    if (close < 0) return kept + markdown.slice(from);
    kept += markdown.slice(from, open);
    from = close + 3;
  }
}

/**
 * What of a Markdown text a viewer renders: code blocks, code spans and comments left out, backslash escapes undone. Every URL in
 * what is left becomes a link, an image or a request when it is shown (bare ones too, as in GitHub's dialect).
 */
export function renderedText(markdown: string): string {
  return withoutComments(withoutCodeSpans(withoutFences(markdown))).replace(
    /\\([!#&()*+\-.:<=>?@[\]^_{|}~])/g,
    '$1',
  );
}
