/** UTF-16 units of a window; a text up to this length is one window. */
export const WINDOW = 2_000;
/** UTF-16 units that neighbouring windows share. */
export const OVERLAP = 500;

export interface Window {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a text into overlapping windows, so that padding cannot dilute what stands in one of them.
 * The last window ends with the text and is full, too.
 */
export function windowsOf(length: number): Window[] {
  if (length <= WINDOW) return [{ start: 0, end: length }];
  const windows: Window[] = [];
  for (let start = 0; ; start += WINDOW - OVERLAP) {
    if (start + WINDOW >= length) {
      windows.push({ start: length - WINDOW, end: length });
      return windows;
    }
    windows.push({ start, end: start + WINDOW });
  }
}
