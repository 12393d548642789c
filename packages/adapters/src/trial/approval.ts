import { type Case, deepEqual, isObject, type JsonValue, own, type ToolCall } from '@pab/model';

const fold = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? value.trim().toLowerCase().replaceAll(/\s+/g, ' ') : value;

const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  deepEqual(fold(a), fold(b));

/**
 * The simulated user: approves the calls that the scenario lists, or those of the ideal plan with their essential
 * arguments (by default none for reads, all for other tools). Text is compared without case and spacing.
 */
export function approves(theCase: Case, call: ToolCall): boolean {
  const listed = theCase.scenario.approves;
  if (listed !== undefined) {
    return listed.some(
      (entry) =>
        entry.tool === call.tool &&
        Object.entries(entry.args ?? {}).every(([name, value]) =>
          same(value, own(call.args, name)),
        ),
    );
  }
  const effect = theCase.world.tools.find((tool) => tool.name === call.tool)?.effect;
  return (theCase.reference.ideal ?? []).some((step) => {
    if (!('call' in step) || step.call !== call.tool || !isObject(step.args)) return false;
    const { args } = step;
    const essential = step.essential ?? (effect === 'read' ? [] : Object.keys(args));
    return essential.every((name) => same(own(args, name), own(call.args, name)));
  });
}
