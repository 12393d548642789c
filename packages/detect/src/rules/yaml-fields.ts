import {
  Composer,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import { DetectError, type DetectErrorCode, type Place } from '../errors.js';

/** One YAML file whose every complaint names file, line and column. */
export class YamlFile {
  readonly name: string;
  readonly root: YAMLMap;
  readonly #lines = new LineCounter();
  readonly #text: string;

  constructor(name: string, text: string) {
    this.name = name;
    this.#text = text;
    const broken = text.indexOf('\ufffd');
    const { document, second, tooDeep } = this.#parse(text);
    if (broken !== -1) {
      this.#fail(
        broken,
        'a character is U+FFFD, as bytes that are not UTF-8 are read; save the file as UTF-8 (a pattern can say \\x{FFFD})',
      );
    }
    const [problem] = document?.errors ?? [];
    if (tooDeep !== undefined && !isIndented(problem)) this.#fail(tooDeep, TOO_MANY_LEVELS);
    if (problem === undefined && second !== undefined) {
      this.#fail(second.range[0], 'a second rule begins here; give each rule a file of its own');
    }
    if (document && problem) {
      const deeper = deeperLine(text, document.errors);
      if (deeper !== undefined) this.#fail(deeper, `is not valid YAML: ${TOO_DEEP}`);
      this.#fail(problem.pos[0], `is not valid YAML: ${problem.message}`);
    }
    if (!isMap(document?.contents)) {
      this.#fail(0, 'a rule file holds a mapping (`id: …`, `title: …`)');
    }
    this.root = document.contents;
  }

  /** The first document, the second when there is one, and where the text is given up. */
  #parse(text: string): {
    readonly document: Document.Parsed | undefined;
    readonly second: Document.Parsed | undefined;
    readonly tooDeep: number | undefined;
  } {
    let tooDeep: number | undefined;
    const tokens = tokensOf(text, this.#lines, (at) => {
      tooDeep = at;
    });
    // That keys are unique is checked where they are read: the parser compares each with all before it.
    // Aliases are not needed in a rule and are how a small file becomes a large one.
    const composer = new Composer({ prettyErrors: false, schema: 'core', uniqueKeys: false });
    const documents = composer.compose(tokens, true, text.length);
    const document = documents.next().value ?? undefined;
    const second = documents.next().value ?? undefined;
    return { document, second, tooDeep };
  }

  fail(node: Node | undefined | null, message: string, code: DetectErrorCode = 'bad-rule'): never {
    this.#fail(node?.range?.[0] ?? 0, message, code);
  }

  /** Complains of a key that the file lacks: at the line that has it too deep, when there is one. */
  missing(key: string): never {
    const indented = new RegExp(`^[ \\t]+(?=${key}:(?:\\s|$))`, 'm').exec(this.#text);
    if (indented !== null) {
      this.#fail(
        indented.index + indented[0].length,
        `"${key}" is missing: this line is indented, so it belongs to what stands above it; begin it in the column of the other keys`,
      );
    }
    return this.fail(this.root, `"${key}" is missing`);
  }

  #fail(offset: number, message: string, code: DetectErrorCode = 'bad-rule'): never {
    throw new DetectError(code, message, { place: this.#placeAt(offset) });
  }

  /** Where a value begins. */
  place(node: Node): Place {
    return this.#placeAt(node.range?.[0] ?? 0);
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.name, line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  /** The entries of a mapping, keys checked against the known ones. */
  fields(map: YAMLMap, known: readonly string[] | undefined, what: string): Map<string, Node> {
    const found = new Map<string, Node>();
    for (const pair of map.items) {
      const key = pair.key;
      if (!isScalar(key) || typeof key.value !== 'string') {
        this.fail(isNode(key) ? key : map, `a key of ${what} is not a string`);
      }
      if (known && !known.includes(key.value)) {
        this.fail(key, `unknown key "${key.value}" in ${what}; known: ${known.join(', ')}`);
      }
      if (found.has(key.value)) {
        this.fail(key, `"${key.value}" stands twice in ${what}; keep one of them`);
      }
      if (!isNode(pair.value)) this.fail(key, `"${key.value}" has no value`);
      found.set(key.value, pair.value);
    }
    return found;
  }

  map(node: Node, what: string): YAMLMap {
    if (!isMap(node)) this.fail(node, `${what} must be a mapping`);
    return node;
  }

  string(node: Node, what: string): string {
    if (isScalar(node) && typeof node.value === 'string') {
      if (node.value.trim() === '') this.fail(node, `${what} is empty`);
      return node.value;
    }
    return this.fail(node, `${what} must be a string${hint(node)}`);
  }

  number(node: Node, what: string): number {
    if (isScalar(node) && typeof node.value === 'number') return node.value;
    return this.fail(node, `${what} must be a number`);
  }

  boolean(node: Node, what: string): boolean {
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    return this.fail(node, `${what} must be true or false`);
  }

  oneOf<T extends string>(node: Node, what: string, allowed: readonly T[]): T {
    const value = this.string(node, what);
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined)
      this.fail(node, `${what} is "${value}"; allowed: ${allowed.join(', ')}`);
    return found;
  }

  items(node: Node, what: string): readonly Node[] {
    if (!isSeq(node)) this.fail(node, `${what} must be a list (lines that begin with "- ")`);
    return node.items.map((item) => {
      if (!isNode(item)) this.fail(node, `${what} has an empty entry`);
      return item;
    });
  }

  strings(node: Node, what: string): readonly string[] {
    return this.items(node, what).map((item) => this.string(item, `an entry of ${what}`));
  }
}

/** Lists and mappings within each other; a rule has four. */
const MOST_LEVELS = 32;
const TOO_MANY_LEVELS = `nested too deeply: more than ${MOST_LEVELS} lists and mappings within each other; take out those that a rule does not have, or put text that looks like them in quotes`;

/**
 * What the parser makes of a text, up to where lists and mappings stand too deep: each that is within another is read by
 * a call within a call.
 */
function* tokensOf(
  text: string,
  lines: LineCounter,
  tooDeep: (at: number) => void,
): ReturnType<Parser['parse']> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // Below them stands the document, and above them what the last one holds.
    if (parser.stack.length > MOST_LEVELS + 2) {
      tooDeep(parser.stack.at(-1)?.offset ?? 0);
      break;
    }
  }
  yield* parser.end();
}

/** Whether a mapping seems to begin where none can, which is better mended than its depth. */
function isIndented(problem: YAMLParseError | undefined): boolean {
  return problem?.code === 'BLOCK_AS_IMPLICIT_KEY' || problem?.code === 'MULTILINE_IMPLICIT_KEY';
}

const TOO_DEEP =
  'the line is indented further than the key that it follows, which has its value already; begin the keys of one mapping in the same column';

/**
 * Where the line begins that is indented too far. The parser takes such a line for the end of a key that began on a line
 * before, and complains there.
 */
function deeperLine(text: string, errors: readonly YAMLParseError[]): number | undefined {
  const [problem] = errors;
  const key = errors.find(({ code }) => code === 'MULTILINE_IMPLICIT_KEY');
  const about = problem?.code === 'BLOCK_AS_IMPLICIT_KEY' || problem === key;
  if (problem === undefined || key === undefined || !about) return undefined;
  const first = lineAt(text, problem.pos[0]);
  const last = lineAt(text, Math.max(key.pos[1] - 1, problem.pos[0]));
  return last.start > first.start && last.indent > first.indent
    ? last.start + last.indent
    : undefined;
}

function lineAt(text: string, offset: number): { readonly start: number; readonly indent: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return { start, indent: /^[ ]*/.exec(text.slice(start, offset + 1))?.[0].length ?? 0 };
}

function hint(node: Node): string {
  if (isMap(node)) return '; a `: ` in plain YAML text makes a mapping, so put the text in quotes';
  if (isScalar(node)) return `, not ${JSON.stringify(node.value)}; put it in quotes`;
  return '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}

export { isMap, isScalar, isSeq, type Node } from 'yaml';
