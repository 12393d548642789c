export { type AskModel, createJudge, type Judge, type JudgeOptions } from './judge.js';
