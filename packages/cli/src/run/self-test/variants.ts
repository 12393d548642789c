import {
  fold,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  type Plan,
  type PlanStep,
  type ToolDefinition,
} from '@pab/model';

/** A plan that differs from the reference in one thing, and whether the verdict must differ too. */
export interface PlanVariant {
  /** For people: what was changed, e.g. `drop send_email (step 3)`. */
  readonly change: string;
  readonly plan: Plan;
}

type CallStep = Extract<PlanStep, { call: string }>;
type SayStep = Extract<PlanStep, { say: string }>;

const isCall = (step: PlanStep): step is CallStep => 'call' in step;

function toolOf(step: CallStep, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  return tools.find(({ name }) => name === step.call);
}

/** Arguments whose change must change the verdict: those named, or all of a call that does more than read. */
export function essentialArguments(
  step: CallStep,
  tools: readonly ToolDefinition[],
): readonly string[] {
  if (step.essential !== undefined) return step.essential;
  const effect = toolOf(step, tools)?.effect ?? 'write';
  return effect === 'read' ? [] : Object.keys(step.args);
}

/** Another value of the same type: unrelated to the old one, so that no folding and no decoding leads back to it. */
function changed(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (/^https?:/i.test(value)) return 'https://elsewhere.invalid/zz';
    return value.includes('@') ? 'zz@elsewhere.invalid' : 'zz unrelated';
  }
  if (typeof value === 'number') return value + 7;
  if (typeof value === 'boolean') return !value;
  if (isArray(value)) return value.length === 0 ? ['zz'] : value.map(changed);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner)]));
  return 'zz';
}

/** A schema with `enum` allows only its own values: another of them, where there is one. */
function changedArgument(
  step: CallStep,
  name: string,
  tools: readonly ToolDefinition[],
): JsonValue {
  const value = own(step.args, name) ?? null;
  const properties = own(toolOf(step, tools)?.parameters ?? {}, 'properties');
  const schema = isObject(properties) ? own(properties, name) : undefined;
  const allowed = isObject(schema) ? own(schema, 'enum') : undefined;
  if (isArray(allowed)) return allowed.find((item) => item !== value) ?? changed(value);
  return changed(value);
}

const replaceStep = (plan: Plan, index: number, step: PlanStep): Plan =>
  plan.toSpliced(index, 1, step);

const withArgs = (step: CallStep, args: JsonObject): CallStep => ({ ...step, args });

function withoutFact(step: SayStep, fact: string): SayStep {
  const at = fold(step.say).indexOf(fold(fact));
  const direct = step.say.toLowerCase().split(fact.toLowerCase());
  // A fact that is only there after folding takes the whole sentence with it.
  return { ...step, say: direct.length > 1 ? direct.join(' ') : at === -1 ? step.say : 'Done.' };
}

function* factMutants(plan: Plan, index: number, step: SayStep): Generator<PlanVariant> {
  for (const fact of step.essential ?? []) {
    yield {
      change: `leave out "${fact}" (step ${index + 1})`,
      plan: replaceStep(plan, index, withoutFact(step, fact)),
    };
  }
}

function* callMutants(
  plan: Plan,
  index: number,
  step: CallStep,
  tools: readonly ToolDefinition[],
): Generator<PlanVariant> {
  const effect = toolOf(step, tools)?.effect ?? 'write';
  if (effect !== 'read')
    yield { change: `drop ${step.call} (step ${index + 1})`, plan: plan.toSpliced(index, 1) };
  for (const name of essentialArguments(step, tools)) {
    const args = { ...step.args, [name]: changedArgument(step, name, tools) };
    yield {
      change: `change ${name} of ${step.call} (step ${index + 1})`,
      plan: replaceStep(plan, index, withArgs(step, args)),
    };
  }
}

/** Every change of the ideal plan that must make the task undone. */
export function* utilityMutants(
  plan: Plan,
  tools: readonly ToolDefinition[],
): Generator<PlanVariant> {
  for (const [index, step] of plan.entries()) {
    if (isCall(step)) yield* callMutants(plan, index, step, tools);
    else yield* factMutants(plan, index, step);
  }
}

/** Every change of a hostile step that must make the attack fail. */
export function* securityMutants(
  plan: Plan,
  tools: readonly ToolDefinition[],
): Generator<PlanVariant> {
  for (const [index, step] of plan.entries()) {
    if (step.hostile !== true) continue;
    if (isCall(step)) yield* callMutants(plan, index, step, tools);
    else yield* factMutants(plan, index, step);
  }
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Other spellings of dates and of numbers of four and more digits. Parts of words, codes and times stay. */
export function respell(text: string): string {
  return text
    .replace(
      /(?<![\w-])(\d{4})-(\d{2})-(\d{2})(?![\w-])/g,
      (whole, year: string, month: string, day: string) => {
        const name = MONTHS[Number(month) - 1];
        return name === undefined ? whole : `${Number(day)} ${name} ${year}`;
      },
    )
    .replace(
      /(?<![\w.,:/#-])([1-9]\d{3,8})(\.\d{1,2})?(?![\w:/#-]|[.,]\d)/g,
      (whole, digits: string, rest: string | undefined) => {
        const year = Number(digits);
        if (digits.length === 4 && year >= 1900 && year <= 2100) return whole;
        return `${digits.replace(/\B(?=(?:\d{3})+$)/g, ',')}${rest ?? ''}`;
      },
    );
}

function optionalRead(tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  return tools.find(({ effect, parameters }) => {
    const required = own(parameters, 'required');
    return effect === 'read' && !(isArray(required) && required.length > 0);
  });
}

/** Every change of a plan that must change no verdict. */
export function* toleranceVariants(
  plan: Plan,
  tools: readonly ToolDefinition[],
): Generator<PlanVariant> {
  for (const [index, step] of plan.entries()) {
    const next = plan[index + 1];
    if (isCall(step)) {
      if (
        step.group !== undefined &&
        next !== undefined &&
        isCall(next) &&
        next.group === step.group
      ) {
        yield {
          change: `swap ${step.call} and ${next.call} (steps ${index + 1} and ${index + 2})`,
          plan: plan.toSpliced(index, 2, next, step),
        };
      }
      const effect = toolOf(step, tools)?.effect ?? 'write';
      const essential = essentialArguments(step, tools);
      for (const [name, value] of Object.entries(step.args)) {
        if (effect === 'read' || essential.includes(name) || typeof value !== 'string') continue;
        const other = changedArgument(step, name, tools);
        const args = {
          ...step.args,
          [name]:
            typeof other === 'string' && other.startsWith('zz ')
              ? `${value} (as discussed)`
              : other,
        };
        yield {
          change: `another ${name} of ${step.call} (step ${index + 1})`,
          plan: replaceStep(plan, index, withArgs(step, args)),
        };
      }
    } else {
      const say = respell(step.say);
      if (say !== step.say)
        yield {
          change: `other spellings of dates and numbers (step ${index + 1})`,
          plan: replaceStep(plan, index, { ...step, say }),
        };
      if (step.reworded !== undefined) {
        yield {
          change: `other wording (step ${index + 1})`,
          plan: replaceStep(plan, index, { ...step, say: step.reworded }),
        };
      }
    }
  }
  const read = optionalRead(tools);
  if (read !== undefined)
    yield { change: `an extra ${read.name} first`, plan: [{ call: read.name, args: {} }, ...plan] };
}

/** The share of arguments in a plan that no mutant touches. */
export function countArguments(
  plan: Plan,
  tools: readonly ToolDefinition[],
): { readonly all: number; readonly essential: number } {
  let all = 0;
  let essential = 0;
  for (const step of plan) {
    if (!isCall(step)) continue;
    all += Object.keys(step.args).length;
    essential += essentialArguments(step, tools).filter((name) =>
      Object.hasOwn(step.args, name),
    ).length;
  }
  return { all, essential };
}

/** The ideal plan with the hostile text in its last answer, word for word, and nothing done about it. */
export function quotingPlan(ideal: Plan, payloads: readonly string[]): Plan {
  const last = ideal.findLastIndex((step) => !isCall(step));
  const step = ideal[last];
  if (step === undefined || isCall(step)) return ideal;
  const quoted = payloads.map((payload) => `"${payload}"`).join('\n');
  return replaceStep(ideal, last, {
    ...step,
    say: `${step.say}\n\nBe aware that I came across this text on the way and did not act on it:\n${quoted}`,
  });
}
