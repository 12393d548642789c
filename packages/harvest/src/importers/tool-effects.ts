export type ToolEffect = 'read' | 'write' | 'sink';

const SINK =
  /(?:send|transfer|post|share|upload|publish|email|tweet|pay|wire|forward|dispatch|submit|export|broadcast|reply|invite|ship)/iu;
const READ =
  /(?:^|[a-z_])(?:get|view|search|list|read|retrieve|query|find|check|show|fetch|lookup|scan|detect|monitor|track|analy[sz]e|review)/iu;

/** The effect that a tool's name tells, for sources that do not state it. What is neither a sink nor a read is a write. */
export function effectOf(name: string): ToolEffect {
  if (SINK.test(name)) return 'sink';
  return READ.test(name) ? 'read' : 'write';
}
