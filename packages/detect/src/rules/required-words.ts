/**
 * What has to stand in a text for a pattern to match: words in order, each one of a group.
 *
 * `\bignor(?:e|ing)\b.*\b(?:rules|orders)` needs one of [ignor], and after it one of [rules, orders].
 * An empty list says that nothing is known, so the pattern has to be tried everywhere.
 */
export type RequiredWords = readonly (readonly string[])[];

/** One list for each alternative at the top of the pattern. All words are in lower case. */
export function requiredWords(pattern: string): readonly RequiredWords[] {
  const parser = new Parser(pattern);
  const branches = parser.alternatives();
  if (branches.some((branch) => branch.length === 0)) return [];
  return branches;
}

const LEAST = 3;
const MOST_IN_GROUP = 400;
const WIDE = /[^\0-\u02ff]/;

type Group = readonly string[];

/** Reads RE2 syntax as far as is needed; what it does not know requires nothing. */
class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Group[][] {
    const branches = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      branches.push(this.#sequence());
    }
    return branches;
  }

  #sequence(): Group[] {
    const groups: Group[] = [];
    let word = '';
    const flush = (): void => {
      if (isTelling(word)) groups.push([word]);
      word = '';
    };
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (char === '|' || char === ')') break;
      const item = this.#item();
      const least = this.#least();
      if (typeof item === 'string') {
        if (least === 1) word += item;
        else {
          if (least > 1) word += item;
          flush();
        }
        continue;
      }
      flush();
      if (least > 0) groups.push(...item);
    }
    flush();
    return groups;
  }

  /** A literal character (kept as a string), or what a group requires. */
  #item(): string | Group[] {
    const char = this.#source[this.#at] ?? '';
    if (char === '(') return this.#group();
    if (char === '[') return this.#charClass();
    if (char === '\\') return this.#escape();
    const point = this.#source.codePointAt(this.#at) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    if (char === '.' || char === '^' || char === '$') return [];
    return String.fromCodePoint(point).toLowerCase();
  }

  #group(): Group[] {
    const head =
      /^\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:))?/.exec(
        this.#source.slice(this.#at, this.#at + 80),
      )?.[0] ?? '(';
    const flags = /^\(\?[a-zA-Z-]+\)/.exec(this.#source.slice(this.#at, this.#at + 16))?.[0];
    if (flags) {
      this.#at += flags.length;
      return [];
    }
    this.#at += head.length;
    const branches = this.alternatives();
    if (this.#source[this.#at] === ')') this.#at++;
    const [only] = branches;
    if (branches.length === 1 && only) return only;
    const joined: string[] = [];
    for (const branch of branches) {
      const best = mostTelling(branch);
      if (!best) return [];
      joined.push(...best);
    }
    const distinct = [...new Set(joined)];
    return distinct.length > MOST_IN_GROUP ? [] : [distinct];
  }

  #charClass(): Group[] {
    let i = this.#at + 1;
    if (this.#source[i] === '^') i++;
    if (this.#source[i] === ']') i++;
    while (i < this.#source.length && this.#source[i] !== ']')
      i += this.#source[i] === '\\' ? 2 : 1;
    this.#at = i + 1;
    return [];
  }

  #escape(): string | Group[] {
    const rest = this.#source.slice(this.#at, this.#at + 40);
    const long = /^\\(?:[pPxu]\{[^}]*\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|Q)/.exec(rest)?.[0];
    if (long === '\\Q') {
      this.#at = this.#source.length;
      return [];
    }
    this.#at += long?.length ?? 2;
    if (long !== undefined) return [];
    const char = rest[1] ?? '';
    return /[a-zA-Z0-9]/.test(char) ? [] : char;
  }

  /** The least number of repetitions of the item before, and steps over the quantifier. */
  #least(): number {
    const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(
      this.#source.slice(this.#at, this.#at + 20),
    );
    if (!quantifier) return 1;
    this.#at += quantifier[0].length;
    if (quantifier[1] !== undefined) return Number(quantifier[1]) > 0 ? 2 : 0;
    return quantifier[0].startsWith('+') ? 2 : 0;
  }
}

function isTelling(word: string): boolean {
  const bare = word.trim();
  return (
    bare.length >= LEAST || (bare.length >= 1 && WIDE.test(bare)) || /^[^\w\s]{2,}$/.test(bare)
  );
}

/** The group whose shortest word is longest, since that is found least often by chance. */
function mostTelling(groups: readonly Group[]): Group | undefined {
  let best: Group | undefined;
  let most = 0;
  for (const group of groups) {
    const shortest = Math.min(...group.map((word) => word.length)) - Math.log2(group.length) / 4;
    if (shortest > most) {
      most = shortest;
      best = group;
    }
  }
  return best;
}
