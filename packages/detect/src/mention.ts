import type { Span } from './types.js';

/** Says why a match is a mention of an attack and not its use; undefined when it is a use. */
export function mentionOf(_text: string, _span: Span): string | undefined {
  return undefined;
}
