import type { Scanner, ScanResult, Scope } from '@pab/detect';

/** Where a scanned text can come in. */
export const SCOPES = ['input', 'context', 'output', 'tool'] as const satisfies readonly Scope[];

/** Scans a text as what it is. Canaries are looked for in prompts and replies. */
export function scanAs(
  scanner: Scanner,
  text: string,
  { scope, canaries = [] }: { readonly scope: Scope; readonly canaries?: readonly string[] },
): ScanResult {
  switch (scope) {
    case 'input':
      return scanner.scan(text, { canaries });
    case 'context':
      return scanner.scanContext(text);
    case 'output':
      return scanner.scanOutput(text, { canaries });
    case 'tool':
      return scanner.scanTool(text);
    default:
      return scope satisfies never;
  }
}
