// How calls are read from what the model wrote. Nothing is mended: what is not a call by the convention is text.

/** End of the JSON object that begins at `from`, or -1 when it is never closed. */
function objectEnd(text, from) {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MOST_CALLS = 8;

/**
 * A call is a JSON object with a text `tool`; its `arguments` go on as they are, whatever they are, and the harness answers wrong
 * ones with a tool error. An object that has the shape of a call but is no JSON is a call with unreadable arguments when its tool
 * is known. `{"answer": …}` is its text. All else stays text.
 */
export function readReply(output, tools) {
  const known = new Set(tools.map(({ function: { name } }) => name));
  const calls = [];
  const texts = [];
  let from = 0;
  for (let at = output.indexOf('{'); at >= 0 && calls.length < MOST_CALLS; ) {
    const closed = objectEnd(output, at);
    const end = closed < 0 ? output.length : closed;
    const body = output.slice(at, end);
    const value = parsed(body);
    const named =
      value === undefined ? /^\{\s*"tool"\s*:\s*"([^"]{1,64})"/.exec(body)?.[1] : value.tool;
    const isCall =
      tools.length > 0 && typeof named === 'string' && (value !== undefined || known.has(named));
    if (isCall) {
      texts.push(output.slice(from, at));
      calls.push({
        name: named,
        args: value === undefined ? body : JSON.stringify(value.arguments ?? {}),
      });
      from = end;
    } else if (typeof value?.answer === 'string') {
      texts.push(output.slice(from, at), value.answer);
      from = end;
    }
    // An object that was never closed begins again at its next brace, which may be a whole one.
    at = output.indexOf('{', from > at ? from : at + 1);
  }
  texts.push(output.slice(from));
  const content = texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
  return { content, calls };
}
