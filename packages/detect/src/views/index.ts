export { type DecodeOptions, decodeViews } from './decode-views.js';
export { rawSpan } from './span-map.js';
