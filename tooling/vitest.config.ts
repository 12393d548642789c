import { library } from './vitest.js';

export default library;
