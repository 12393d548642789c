/** How a target is written, which says how it is decoded. */
export type PlaceForm = 'markdown' | 'attribute' | 'srcset' | 'style' | 'html' | 'css' | 'bare';

/** Where a text names the target of a link, or of something that is loaded. */
export interface Place {
  /** UTF-16 range of the target as it is written. */
  readonly start: number;
  readonly end: number;
  /** Loaded when the reply is shown, with no click. */
  readonly loads: boolean;
  readonly form: PlaceForm;
  /** The target of a reference: an image anywhere in the text could use it. */
  readonly definition?: boolean;
  /** The `href` of a `<base>`, against which a browser resolves every address that names no host. */
  readonly base?: boolean;
  /** What stands there is mostly no address, so it is one only when it names a host. */
  readonly needsHost?: boolean;
  /** The text ends before the target does, so more text could make it longer. */
  readonly open: boolean;
}
