import type { Span } from './types.js';

/** Why a match is taken for a mention of an attack rather than for its use. */
export interface Mention {
  readonly reason: string;
  /** Both marked as talk about the words and said with a defensive or questioning purpose. */
  readonly strong: boolean;
}

/** What a mention leaves of a rule's confidence; two strong ones, as of one quotation, stay benign. */
export const MENTION_FACTOR = { weak: 0.5, strong: 0.18 } as const;

const BEFORE = 240;
const AFTER = 200;

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '«': '»',
  '‘': '’',
  '`': '`',
  '「': '」',
  '『': '』',
};

/** Whether a unit is one of the marks that open a quotation, which most are not. */
function mayOpen(code: number): boolean {
  if (code < 128) return code === 0x22 || code === 0x27 || code === 0x60;
  return (
    code === 0xab ||
    code === 0x2018 ||
    code === 0x201c ||
    code === 0x201e ||
    code === 0x300c ||
    code === 0x300e
  );
}

/** Talk about texts or attacks, before the words in the same sentence. */
const ABOUT =
  /\b(?:phrases?|sentences?|words?|strings?|wording|texts?|examples?|e\.g|such as|like|called|known as|termed|attacks?|attackers?|injections?|payloads?|jailbreaks?|jailbreaking|malicious|adversar\w+|attempts?|detect\w*|classif\w*|flag\w*|rules? (?:that|which|for)|patterns?|filters?|blocks?|mean(?:s|ing)?|translate|translation|quote[ds]?|says?|said|contain(?:s|ing|ed)?|wrote|written|writes|types|enters|reads?|saw|keyword|trigger|prompt injection|prompts?|satz|wort|ausdruck|frase|mot|expression|значит)\b/i;
/** Someone else is said to give the order. */
const REPORTED =
  /\b(?:tells|telling|told|asks|asking|asked|instructs|instructing|instructed|orders|ordering|wants|wanting|tries|trying|tried|attempts|attempting|urges|urging|claims|claiming|commands|commanding|says|saying|requests|requesting|gets|getting|tricks|tricking|convinces|persuades|(?:may|might|often|sometimes|attackers?|users?|people|they|someone|anyone|anybody|mails?|(?:web ?)?pages?|(?:web ?)?sites?|documents?|files?|content|tools?|e-?mails?|messages?|prompts|inputs|attacks|that|who|which) (?:tell|ask|instruct|order|want|try|attempt|urge|say|request|trick|command))\s+(?:(?:you|it|the|an?|your|this|that|them|me|us|model|models|assistants?|agents?|ais?|llms?|chatbots?|bots?|readers?|ai|language|into|to|should|must)[\s,:]+){0,6}["“‘'`]?$/i;
/** A person of everyday life is said to have given it. */
const SAID =
  /\b(?:teachers?|coach(?:es)?|trainers?|professors?|referees?|mother|father|mum|mom|dad|grandm\w+|grandpa|captain|judge)\s+(?:has |have |had |then )?(?:said|says|shouted|yelled|whispered|wrote|told (?:us|me|them))(?: that| to us| to me)?[\s,:]+["“‘'`]?$/i;
/** The same as `REPORTED`, in other languages, after a condition. */
const REPORTED_ELSEWHERE =
  /(?:(?:\b(?:wenn|falls|sollte|sobald)\b.*\b(?:sagt|bittet|auffordert|fordert|verlangt|befiehlt|anweist|schreibt|will|auffordern|sagen|bitten)\b[\s,:]*(?:(?:dass|du|sie|ihr|man|dir|dich|doch|bitte|sollst|sollen|sollst du|mögest)[\s,]+){0,4})|(?:\b(?:si|cuando|quando|se|caso)\b.*\b(?:dice|pide|ordena|diga|pida|diz|pede|manda|peça|chiede|ordini|chieda|dica|dit|demande|ordonne)\b[\s,:]*(?:(?:que|di|de|para|a|te|ti|toi|vous|você)[\s,]+){0,3}(?:d['’])?)|(?:(?:^|[^\p{L}])(?:если|когда)[^\p{L}].*(?:говорит|просит|велит|требует|приказывает|предлагает)[\s,:]*(?:(?:тебе|вам|тебя|вас|чтобы|ты|вы)[\s,]+){0,3})|(?:(?:如果|当|若).*(?:让你|要求你|叫你|告诉你|命令你|指示你))|(?:もし.*「)|(?:만약.*["“']))["“„«‘'`「]?$/iu;
/** A match that begins with the verb of `REPORTED_ELSEWHERE` itself. */
const INTRODUCED =
  /^(?:sagt|schreibt|verlangt|bittet|fordert|dice|diga|pide|diz|dit|demande)[\s,:]+(?:(?:dass|du|sie|ihr|man|dir|dich|sollst|sollen|que|di|de|para|a|te|ti)[\s,]+){1,4}/i;
const DEFENCE_ELSEWHERE =
  /(?:\bmelde\b|\bmelden\b|\babl?ehn\w*|\bverweiger\w*|\bweiger\w*|nicht befolg|\binforma\b|\bdenuncia\w*|\brechaza\w*|\bavisa\b|\brecusa?\w*|\bavise\b|\brefus\w*|\bsignale\w*|\bsegnala\w*|\brifiut\w*|сообщи|откаж|报告|拒绝|不要照做|報告|拒否|보고|거부)/iu;
const CONDITION =
  /\b(?:if|when(?:ever)?|in case|should|any(?:thing|one|body)?|content|pages?|messages?|e-?mails?|documents?|text|never)\b/i;
/** What to do about it, in the same sentence or the next. */
const DEFENCE =
  /\b(?:report(?:s|ed|ing)?|refus(?:e|es|ed|ing)|decline[sd]?|stop and|do not (?:comply|obey|follow|do|act|trust|listen|respond|execute)|don['’]t (?:comply|obey|follow|do|act|trust|listen|respond|fall|reply)|please don['’]t|let (?:me|us) know|must not|never (?:comply|obey|follow|do|act)|ignore (?:it|them|that|such|those|this request)|treat (?:it|them|that|this|such) as|as (?:untrusted|data|malicious|suspicious|an attack)|be (?:careful|wary|suspicious)|flag(?:s|ged)? (?:it|them|this|as)|alert(?:s|ed)? (?:the|us|your|me)|notify|escalate|not allowed|is an? (?:attack|injection|attempt|sign|example|typical|classic|known)|sign of|phrase|defen[cs]es?)\b/i;
const QUESTION =
  /\b(?:what does|what is meant|what do|mean|meaning|why (?:do|does|is|are|would)|how (?:do|does|can|should) (?:i|we|you|one|developers?|companies|people|an? \w+) (?:detect|prevent|stop|block|defend|protect|avoid|translate|spell|recognise|recognize|handle|respond)|translate|explain (?:the|what|why|how)|define|is it (?:an?|possible)|difference between|how (?:do|would) you (?:say|translate)|we study|was (?:bedeutet|bewirkt|heißt)|übersetz\w*|qu[ée] significa|que signifie|che cosa significa|traduce|traduis)\b/i;
/** A question that has the quoted words for its subject, in front of them and after them. */
const ASKED_BEFORE =
  /\b(?:what (?:does|do|did|would|is)|why (?:does|do|did|is|are|would)|how (?:does|do|did))\s+["“‘'`«„]$/i;
const ASKED_AFTER =
  /^[^"”’'`»“\n]{0,60}["”’'`»“]\s*(?:mean|do|work|refer|stand for|trick|succeed|fail|appear|cause|affect|sound|called)\b[^.!?\n]{0,60}\?/i;
/** The same in languages that ask before the quoted words only. */
const ASKED_ELSEWHERE =
  /(?:\bwas (?:bedeutet|bewirkt|heißt|macht)|\bqu[eé] significa|\bque signifie|\bcosa significa|(?:^|[^\p{L}])что (?:значит|означает))\s+["“„'‘`«]$/iu;
/** Asks how to guard against what follows, in the same clause. */
const GUARDING =
  /\b(?:how (?:do|does|can|could|should|would|to)|what|which|ways? to|tips|help me)\b[^.!?]{0,60}\b(?:detect|prevent|stop|block|defend|protect|guard|secure|harden|resist|withstand)\w*\b[^.!?,;:\n]*$/i;
/** A case is described in which what follows is to be refused, as in a test of a chatbot. */
const REFUSED_CASE =
  /\b(?:refus(?:es?|ed|al)|declin(?:es?|ed)|rejects?|rejected|blocks?|blocked|flags?|flagged|does not (?:comply|obey|follow)|doesn['’]t (?:comply|obey|follow))\b[^.!?\n]{0,40}\b(?:when(?:ever)?|if|in case|once|where)\b[^.!?\n]{0,60}$/i;
const NEGATED =
  /\b(?:do not|don['’]t|does not|doesn['’]t|did not|didn['’]t|never|must not|mustn['’]t|should not|shouldn['’]t|may not|will not|won['’]t|cannot|can not|can['’]t|refuse to|refuses to|declines? to|not allowed to|not permitted to|unable to|not going to|avoid|without|rather than|instead of|prevent(?:s|ing)? \w+ from|stop(?:s|ping)? \w+ from|not to|and not)\s+(?:ever\s+|simply\s+|blindly\s+|accidentally\s+)?["“‘'`]?$/i;
/** A negation in front of these says no more than the order itself. */
const DOUBLE =
  /^(?:hesitate|refuse|fail|forget(?: to|[:,]\s?\w+)|neglect to|omit to|delay|stop|follow|obey|listen|pay|adhere|comply|consider|heed|stick|answer|translate|summari[sz]e|say|tell me you|use|include|add|give|mention|break|do not|don['’]t|no|never|without|not)\b/i;

/** Asks a bot for its rules and says no more; such rules may be those of a shop, a game or a club. */
const BARE =
  /^(?:(?:please|now) )?(?:list|state|name|tell me|give me|show me|what are) (?:(?:all|all of|some of) )?your (?:house )?(?:rules|guidelines|restrictions|constraints)\s?[.!?]?$/i;

/**
 * Judges whether words that match a rule are used or mentioned, from their own sentence and marks
 * round them. It lowers a finding, it never removes one, since whoever wrote the words may have
 * written the marks as well; and it looks at nothing that stands elsewhere in the text.
 */
export function mentionOf(text: string, match: Span): Mention | undefined {
  const span = { start: withoutIntroduction(text, match), end: match.end };
  if (span.start < 3 && text.length < 80 && BARE.test(text.trim())) {
    return { reason: 'asked without a word about a prompt', strong: false };
  }
  const before = sentenceBefore(text, span.start);
  // All that follows looks for words or marks before the match.
  if (before.length < 2 && !isQuoted(text, span) && !inCode(text, span)) return undefined;
  const after = text.slice(span.end, span.end + AFTER);
  const matched = text.slice(span.start, Math.min(span.end, span.start + 40));
  if (NEGATED.test(before.slice(-48)) && !DOUBLE.test(matched)) {
    return { reason: 'negated', strong: true };
  }
  const quoted = isQuoted(text, span);
  if (
    REPORTED.test(before.slice(-90)) ||
    (quoted && REPORTED.test(before.replace(/["“‘'`][^"“‘'`]*$/, '')))
  ) {
    const strong =
      (CONDITION.test(before) && DEFENCE.test(firstSentences(after))) ||
      (quoted && QUESTION.test(before)) ||
      GUARDING.test(before) ||
      REFUSED_CASE.test(before);
    return { reason: strong ? 'described so that it can be refused' : 'reported speech', strong };
  }
  if (SAID.test(before.slice(-90))) return { reason: 'reported speech', strong: false };
  if (REPORTED_ELSEWHERE.test(before)) {
    const strong = DEFENCE_ELSEWHERE.test(firstSentences(after));
    return { reason: strong ? 'described so that it can be refused' : 'reported speech', strong };
  }
  if (quoted) {
    const about = ABOUT.test(before) || isAskedAbout(before, after);
    const asked =
      QUESTION.test(before) ||
      GUARDING.test(before) ||
      DEFENCE.test(firstSentences(after)) ||
      /\bmean\b/i.test(after.slice(0, 40));
    if (REFUSED_CASE.test(before)) {
      return { reason: 'described so that it can be refused', strong: true };
    }
    return { reason: 'quoted', strong: about && asked };
  }
  if (inCode(text, span)) return { reason: 'inside of code marks', strong: false };
  if (
    /\b(?:phrases?|attacks?|attackers?|injections?|payloads?|jailbreaks?|attempts?) (?:like|such as|that (?:say|tell|ask)|saying|telling|asking|may|might|can|could|will|often|try|include)\b/i.test(
      before,
    )
  ) {
    return { reason: 'given as an example of an attack', strong: false };
  }
  return undefined;
}

function isAskedAbout(before: string, after: string): boolean {
  if (ASKED_BEFORE.test(before)) return ASKED_AFTER.test(after);
  return ASKED_ELSEWHERE.test(before) && /^[^"”“’'`»\n]{0,60}["”“’'`»]\s*\?/.test(after);
}

/** A match may begin with the words that introduce a quotation; it is judged from the mark on. */
function withoutIntroduction(text: string, { start, end }: Span): number {
  const introduced = INTRODUCED.exec(text.slice(start, Math.floor((start + end) / 2)));
  if (introduced) return start + introduced[0].length;
  const half = Math.floor((start + end) / 2);
  for (let at = start; at < half; at++) {
    if (!mayOpen(text.charCodeAt(at))) continue;
    const open = text[at] ?? '';
    const close = QUOTES[open];
    if (close === undefined || (open === "'" && isApostrophe(text, at))) continue;
    const closed =
      close === "'" ? endOfSingle(text.slice(at + 1, end)) : text.indexOf(close, at + 1) - at - 1;
    // Where the quotation ends inside of the match, the words round it are used.
    if (closed >= 0 && at + 1 + closed < end - 1) return start;
    const lineStart = text.lastIndexOf('\n', at) + 1;
    const isClosing =
      open === '"' && text.slice(Math.max(lineStart, at - 120), at).split('"').length % 2 === 0;
    return isClosing ? start : at + 1;
  }
  return start;
}

function sentenceBefore(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE);
  const part = text.slice(from, at);
  for (let i = part.length - 1; i > 0; i--) {
    const code = part.charCodeAt(i);
    // A stop counts only before a space, so `e.g.` and `3.5` do not end the sentence at once.
    if (code === 10) return part.slice(i + 1);
    if ((code === 46 || code === 33 || code === 63) && part.charCodeAt(i + 1) === 32) {
      return part.slice(i + 1);
    }
  }
  return part;
}

/** What is left of this sentence, and the next one. */
function firstSentences(after: string): string {
  const first = after.search(/[.!?](?:\s|$)/);
  if (first < 0) return after;
  const second = after.slice(first + 1).search(/[.!?](?:\s|$)/);
  return second < 0 ? after : after.slice(0, first + 2 + second);
}

/** An opening mark close before and its closing mark close after, on one line. */
function isQuoted(text: string, span: Span): boolean {
  const least = Math.max(0, span.start - 120);
  let from = span.start;
  let marks = 0;
  for (; from > least; from--) {
    const code = text.charCodeAt(from - 1);
    if (code === 10) break;
    if (mayOpen(code)) marks += 1;
  }
  if (marks === 0) return false;
  const line = text.slice(from, span.start);
  for (let i = line.length - 1; i >= 0; i--) {
    if (!mayOpen(line.charCodeAt(i))) continue;
    const open = line[i] ?? '';
    const close = QUOTES[open];
    if (close === undefined) continue;
    if (open === "'") {
      if (isApostrophe(line, i) || !isOpen(line, i)) continue;
    } else if (open === close && line.split(escapedOf(line, i)).length % 2 === 1) {
      // The same mark as often before as it takes to be open.
      continue;
    }
    if (isValue(line, i)) return false;
    // A match may run on past the mark, but most of it has to stand inside.
    const middle = Math.floor((span.start + span.end) / 2);
    const after = text.slice(middle, span.end + 160);
    const end = close === "'" ? endOfSingle(after) : after.indexOf(close);
    if (open === close && closesWithin(text.slice(span.start, middle), close)) return false;
    const lineEnd = after.indexOf('\n');
    return end >= 0 && (lineEnd < 0 || end < lineEnd);
  }
  return false;
}

/** A mark with the backslash before it, as it stands within a string. */
function escapedOf(line: string, at: number): string {
  return line.slice(line[at - 1] === '\\' ? at - 1 : at, at + 1);
}

/** A mark that opens a value of a record, as in `{"body": "…"}`, quotes nothing: all text of such a record has it. */
function isValue(line: string, open: number): boolean {
  return /(?:["']\s?:\s?|\[\s?)$/u.test(line.slice(Math.max(0, open - 5), open));
}

/** Whether a quotation ends in this part, as in `"Ignore" all of it`. */
function closesWithin(part: string, close: string): boolean {
  return close === "'" ? endOfSingle(part) >= 0 : part.includes(close);
}

const LETTER = /[\p{L}\p{N}]/u;

/** A straight single quote between letters, or after one, as in `don't` and `users'`. */
function isApostrophe(line: string, at: number): boolean {
  return at > 0 && LETTER.test(line[at - 1] ?? '');
}

/** Whether no mark after the one at `at` closes it. */
function isOpen(line: string, at: number): boolean {
  return endOfSingle(line.slice(at + 1)) < 0;
}

/** The first straight single quote that is no apostrophe inside of a word. */
function endOfSingle(text: string): number {
  for (let at = text.indexOf("'"); at >= 0; at = text.indexOf("'", at + 1)) {
    if (!LETTER.test(text[at + 1] ?? '')) return at;
  }
  return -1;
}

function inCode(text: string, span: Span): boolean {
  const before = text.slice(Math.max(0, span.start - 2_000), span.start);
  let fences = 0;
  for (let at = before.indexOf('```'); at >= 0; at = before.indexOf('```', at + 3)) fences++;
  return fences % 2 === 1 && text.slice(span.end, span.end + 2_000).includes('```');
}
