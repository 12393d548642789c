import type { WireSchema, WireTool } from './wire.js';

// Longer strings are loops of a small model, not arguments; what is cut still parses.
const BASE = [
  String.raw`char ::= [^"\\\x00-\x1f] | "\\" ["\\/nt]`,
  String.raw`text ::= "\"" char{0,200} "\""`,
  String.raw`whole ::= "-"? [0-9]{1,9}`,
  String.raw`number ::= whole ("." [0-9]{1,4})?`,
  String.raw`boolean ::= "true" | "false"`,
  String.raw`value ::= text | number | boolean | "null"`,
];

const literal = (text: string): string => JSON.stringify(text);

function ruleOf(schema: WireSchema): string {
  if (schema.enum !== undefined) {
    return `(${schema.enum.map((item) => literal(JSON.stringify(item))).join(' | ')})`;
  }
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
      return 'whole';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const item = ruleOf(schema.items ?? {});
      return `"[" (${item} ("," ${item}){0,7})? "]"`;
    }
    case 'object':
      return objectRule(schema);
    case undefined:
    default:
      return 'value';
  }
}

function fieldRule([name, schema]: readonly [string, WireSchema]): string {
  return `${literal(`${JSON.stringify(name)}:`)} ${ruleOf(schema)}`;
}

/** An object with its required fields in order, then its other fields, each there or not. */
function objectRule({ properties = {}, required = [] }: WireSchema): string {
  const wanted = new Set(required);
  const all = Object.entries(properties);
  const must = all.filter(([name]) => wanted.has(name)).map(fieldRule);
  const may = all.filter(([name]) => !wanted.has(name)).map(fieldRule);
  if (must.length > 0) {
    return ['"{"', must.join(' "," '), ...may.map((rule) => `("," ${rule})?`), '"}"'].join(' ');
  }
  // Without a required field each optional one may be the first.
  const from = (index: number): string =>
    [may[index], ...may.slice(index + 1).map((rule) => `("," ${rule})?`)].join(' ');
  const choices = may.map((_rule, index) => from(index));
  return choices.length === 0 ? '"{}"' : `"{" (${choices.join(' | ')})? "}"`;
}

/** A grammar (GBNF) under which a reply is an answer or one call of an offered tool, as JSON without spaces. */
export function callGrammar(tools: readonly WireTool[]): string {
  const calls = tools.map(
    ({ function: { name, parameters = {} } }, index) =>
      `tool-${index} ::= ${literal(`{"tool":${JSON.stringify(name)},"arguments":`)} ${objectRule(parameters)} "}"`,
  );
  const names = calls.map((_rule, index) => `tool-${index}`);
  return [
    `root ::= ${['answer', ...names].join(' | ')}`,
    `answer ::= ${literal('{"answer":')} text "}"`,
    ...calls,
    ...BASE,
  ].join('\n');
}
