export { none } from './none.js';
