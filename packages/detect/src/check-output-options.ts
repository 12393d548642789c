import {
  callable,
  isStrings,
  optionsOf,
  refuse,
  shown,
  strings,
  thresholdsOf,
  wholeNumber,
} from './check-values.js';
import { domainProblem } from './output/trusted-hosts.js';

const REPLY_OPTIONS = ['canaries', 'suppliedUrls', 'conversationValues'];
const OUTPUT_OPTIONS = [...REPLY_OPTIONS, 'trustedDomains'];
const GATE_OPTIONS = [...OUTPUT_OPTIONS, 'scan', 'thresholds', 'mostHeld', 'longest'];

/** @throws DetectError `bad-option` for what is no list of hosts, or would trust everybody or nobody. */
export function checkTrustedDomains(domains: unknown): void {
  strings(domains, 'trustedDomains');
  for (const [index, entry] of (domains as readonly string[]).entries()) {
    const problem = domainProblem(entry);
    if (problem !== undefined) {
      refuse(`trustedDomains[${index}] is ${shown(entry)}: ${problem}`);
    }
  }
}

/** @throws DetectError `bad-option` for canaries that are no list of strings. */
export function checkCanaries(canaries: unknown): void {
  // Not shown: one may be a secret.
  if (!isStrings(canaries)) refuse('canaries must be a list of strings');
}

/** The one option of a scan. A misspelt one would leave canaries that nobody looks for. */
export function checkCanaryOptions(options: unknown, what: string): void {
  const { canaries } = optionsOf(options, what, ['canaries']);
  if (canaries !== undefined) checkCanaries(canaries);
}

function checkOutputPart(options: Readonly<Record<string, unknown>>): void {
  const { canaries, trustedDomains, suppliedUrls, conversationValues } = options;
  if (canaries !== undefined) checkCanaries(canaries);
  if (trustedDomains !== undefined) checkTrustedDomains(trustedDomains);
  if (suppliedUrls !== undefined) strings(suppliedUrls, 'suppliedUrls');
  // Not shown: they are what must not leave.
  if (conversationValues !== undefined && !isStrings(conversationValues)) {
    refuse('conversationValues must be a list of strings');
  }
}

/** What a reply is compared with; the rest is the scanner's. */
export function checkReplyOptions(options: unknown, what: string): void {
  checkOutputPart(optionsOf(options, what, REPLY_OPTIONS));
}

/** @throws DetectError `bad-option` for an option of the output checks that is unknown or of a wrong type. */
export function checkOutputOptions(options: unknown, what: string): void {
  checkOutputPart(optionsOf(options, what, OUTPUT_OPTIONS));
}

/** @throws DetectError `bad-option` for an option of a gate or a stream that is unknown or of a wrong type. */
export function checkGateOptions(options: unknown): void {
  const given = optionsOf(options, 'a gate', GATE_OPTIONS);
  checkOutputPart(given);
  const { scan, thresholds, mostHeld, longest } = given;
  if (scan !== undefined) callable(scan, 'scan', 'such as (text) => scanner.scanOutput(text)');
  if (thresholds !== undefined) thresholdsOf(thresholds);
  if (mostHeld !== undefined) wholeNumber(mostHeld, 'mostHeld', 1);
  if (longest !== undefined) wholeNumber(longest, 'longest', 1);
}
