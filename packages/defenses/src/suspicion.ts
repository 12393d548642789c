/**
 * Signs, in one sentence, of an order to whatever model reads it. Small on purpose: `filter` shows what a word list buys; a detector is
 * the better judge. Every pattern has bounded repeats only, so a sentence costs linear time.
 */
const SIGNS: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  // Setting earlier instructions aside.
  {
    weight: 2,
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass|drop|skip)\b[^.!?]{0,40}\b(?:instructions?|rules?|guidelines?|directions?|prompts?|polic(?:y|ies)|above|previous|prior|earlier)\b/iu,
  },
  {
    weight: 2,
    pattern:
      /\b(?:new|updated|real|actual|revised)\b.{0,20}\b(?:instructions?|task|objective|orders?)\b/iu,
  },
  // Speaking to the model, or as its operator.
  {
    weight: 2,
    pattern:
      /\b(?:attention|note|message|notice|instructions?|hey|dear)\b.{0,20}\b(?:ai|a\.i\.|llm|assistants?|agents?|chatbots?|language models?|bots?)\b/iu,
  },
  { weight: 1, pattern: /\b(?:ai|llm|assistants?|language models?|chatbots?|agents?)\b/iu },
  {
    weight: 1,
    pattern: /\byou (?:must|should|have to|need to|are required|are now|will|shall)\b/iu,
  },
  {
    weight: 2,
    pattern:
      /<\|[a-z_]{2,20}\|>|\[\/?inst\]|<\/?(?:system|assistant|instructions?|important)>|^\W{0,4}(?:system|assistant|developer|operator)\s{0,3}(?:prompt|message|note|override|notice)?\s{0,3}:/iu,
  },
  // Orders that use tools or move data.
  {
    weight: 1,
    pattern:
      /(?:^\W{0,6}|[,;:]\s{1,3}|\b(?:please|then|first|also|now|and|to|must|should|immediately|instead|next)\s{1,3})(?:send|forward|e-?mail|post|upload|transfer|pay|wire|delete|remove|share|reveal|print|output|reply|respond|say|write|include|append|add|call|invoke|execute|run|fetch|visit|open|click|save|store|remember|grant|approve|invite|publish|merge|install|buy|book|change|set|update|create|copy)\b/iu,
  },
  {
    weight: 1,
    pattern:
      /\b(?:call|invoke|use|run|execute)\b.{0,30}\b(?:tool|function|command|[a-z]{2,20}_[a-z_]{2,30})\b/iu,
  },
  // Haste, secrecy and borrowed authority.
  {
    weight: 1,
    pattern:
      /\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|telling|mention|mentioning|inform|informing|ask|asking|notify|notifying|reveal|confirm|confirming)\b/iu,
  },
  {
    weight: 1,
    pattern:
      /\b(?:before|after|when) (?:you |doing |answering|continuing|completing|replying|responding|proceeding)/iu,
  },
  {
    weight: 1,
    pattern:
      /\b(?:pre-?approved|already (?:been )?(?:approved|authori[sz]ed)|on behalf of the (?:user|owner)|(?:admin|administrator|security team) (?:requires|has approved))\b/iu,
  },
];

/** From two signs' weight on, a sentence counts as an order to the model. */
export function ordersTheModel(sentence: string): boolean {
  // Letters that only look different, and characters that do not show, are no disguise.
  const plain = sentence
    .slice(0, 2000)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\u034f\ufe00-\ufe0f]/gu, '');
  let weight = 0;
  for (const sign of SIGNS) {
    if (sign.pattern.test(plain)) weight += sign.weight;
    if (weight >= 2) return true;
  }
  return false;
}

export interface Sentence {
  readonly start: number;
  readonly end: number;
}

const TERMINATORS = new Set(['.', '!', '?', '。', '！', '？', '…']);

/**
 * Cuts a text into sentences: at a line break, or after a terminator that white space follows. Together they are the whole text; a sentence
 * longer than 2,000 characters is cut there.
 */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? '';
    const next = text[index + 1] ?? ' ';
    const ends =
      char === '\n' ||
      (TERMINATORS.has(char) && (/\s/.test(next) || char > '\u2fff')) ||
      index + 1 - start >= 2000;
    if (!ends) continue;
    sentences.push({ start, end: index + 1 });
    start = index + 1;
  }
  if (start < text.length) sentences.push({ start, end: text.length });
  return sentences;
}
