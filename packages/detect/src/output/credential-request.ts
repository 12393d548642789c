import type { Link } from './links.js';

const ACT =
  '(?:enter(?:ing)?|past(?:e|ing)|typ(?:e|ing)|provid(?:e|ing)|submit(?:ting)?|send(?:ing)?|giv(?:e|ing)|put|fill(?:ing)? in|supply(?:ing)?|shar(?:e|ing)|confirm(?:ing)?|input)';
const SECRET =
  '(?:api[- ]?keys?|access[- ]?(?:keys?|tokens?)|private[- ]keys?|recovery[- ]phrase|seed[- ]phrase|pass(?:word|phrase|code)s?|tokens?|credentials?|log-?in (?:data|details)|pin|(?:one-time|verification|security|2fa|mfa) codes?|(?:credit )?card (?:number|details))';
/** What the link is for: to show that one is oneself, which honest instructions for a program do not ask. */
const PROVE =
  /(?<![a-z])(?:(?:re-?)?(?:verify|confirm|validate|authenticate|authorize)|verification|confirmation|authentication|log ?-?in|sign ?-?in|unlock|unblock|reactivate|restore (?:your |the )?(?:account|access)|secure (?:your|the) account|keep (?:your|the) account)(?![a-z])/i;
const ASK = new RegExp(
  `(?<![a-z])${ACT} (?:(?:in|us|me|it|there|here|with) )?(?:(?:the|your|a|an|this|that|its|current|full|account|admin|old) ){0,4}(?:\\w{1,20} )?${SECRET}(?![a-z])`,
  'i',
);
/** Where the secret goes, when that is a place of the user's own. */
const OWN_PLACE =
  /^[^.!?]{0,24}?(?<![a-z])(?:in|into|to|at|under|as|on) (?:(?:the|your|a|an|our|its) )?(?:\w{1,20} ){0,2}?(?:\.?env|config\w{0,12}|settings?|terminal|shell|prompt|console|command|cli|editor|ide|code|script|file|variable|environment|secrets?|keychain|vault|manager|dashboard|app|plugin|extension|repository|repo|client|box below|field below|`)/i;

/** UTF-16 units on either side of a link that are its sentence at most. */
const BEFORE = 120;
const AFTER = 160;

function sentenceBefore(text: string): string {
  const cut = Math.max(text.lastIndexOf('. '), text.lastIndexOf('\n\n'), text.lastIndexOf('! '));
  return text.slice(cut + 1);
}

/**
 * A link to a host that is not trusted behind which the reply asks for a password, a token or the like. It carries no
 * data; the reader is meant to.
 */
export function credentialRequest(
  text: string,
  links: readonly Link[],
  counts: (address: string) => boolean,
): Link | undefined {
  // Nearly all replies have no such word at all.
  if (links.length === 0 || !ASK.test(text)) return undefined;
  return links.find((link) => {
    if (link.loads) return false;
    const before = sentenceBefore(text.slice(Math.max(0, link.start - BEFORE), link.start));
    const rest = text.slice(link.end, link.end + AFTER);
    const after = /^[\s\S]*?(?=[.!?](?:\s|$)|\n\n|$)/.exec(rest)?.[0] ?? '';
    if (!PROVE.test(before) && !PROVE.test(after)) return false;
    const asked = ASK.exec(after);
    const asks = asked === null ? ASK.test(before) : !ownPlace(after, asked);
    return asks && counts(link.url);
  });
}

function ownPlace(after: string, asked: RegExpExecArray): boolean {
  return OWN_PLACE.test(after.slice(asked.index + asked[0].length));
}
