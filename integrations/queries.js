// What to alert on and what to hunt for, said once. `generate.js` writes it as KQL, SPL and ES|QL.

/**
 * Conditions on an event; all that are given must hold.
 *
 * @typedef {object} Where
 * @property {string[]} [verdicts]
 * @property {string[]} [directions]
 * @property {string[]} [rules] rule ids; a final `*` stands for any ending
 * @property {boolean} [hidden] only findings that were seen in a decoded view
 */

/**
 * One row for each group of events.
 *
 * @typedef {object} Groups
 * @property {('SessionId' | 'User' | 'rule_id' | 'atlas' | 'view' | 'Source' | 'Direction')[]} by
 * @property {boolean} [daily] one row for each day, too
 * @property {{ name: string, of?: 'SessionId' | 'rule_id' | 'ContentId' | 'User' }[]} counts events, or different values
 * @property {{ count: string, atLeast: number }} [having]
 */

/**
 * @typedef {object} Query
 * @property {string} id
 * @property {string} title
 * @property {string} description
 * @property {'alert' | 'hunt'} kind
 * @property {'Low' | 'Medium' | 'High' | 'Informational'} severity
 * @property {number} hours how far back it looks
 * @property {Where} where
 * @property {Groups} [groups] without it, the events themselves
 * @property {Where} [later] a later event of the same session; `where` is the earlier one
 */

/** @type {Query[]} */
export const queries = [
  {
    id: 'malicious-prompts',
    title: 'Malicious prompts by user',
    description: 'A user sent prompts that the scanner holds for attacks.',
    kind: 'alert',
    severity: 'High',
    hours: 1,
    where: { directions: ['input'], verdicts: ['malicious'] },
    groups: {
      by: ['User', 'Source'],
      counts: [{ name: 'Prompts' }, { name: 'Rules', of: 'rule_id' }],
    },
  },
  {
    id: 'poisoned-content',
    title: 'Poisoned content was read',
    description: 'Content or a tool description that a model reads carries an injection.',
    kind: 'alert',
    severity: 'High',
    hours: 1,
    where: { directions: ['context', 'tool'], verdicts: ['malicious'] },
  },
  {
    id: 'output-leaks',
    title: 'A reply leaked data',
    description: 'A reply held a canary, a URL that carries data out, or smuggled characters.',
    kind: 'alert',
    severity: 'High',
    hours: 1,
    where: { directions: ['output'], rules: ['PB-CANARY', 'PB-EXFIL-*', 'PB-SMUGGLE'] },
  },
  {
    id: 'credential-requests',
    title: 'A reply asks for credentials',
    description:
      'A reply asks its reader to enter a password or the like behind a link to a host that is not trusted.',
    kind: 'alert',
    severity: 'Medium',
    hours: 1,
    where: { directions: ['output'], rules: ['PB-CREDENTIALS'] },
  },
  {
    id: 'injection-then-leak',
    title: 'A leak after an injection in the same session',
    description:
      'An injection was read or sent, and soon after a reply of that session leaked data or asked for credentials.',
    kind: 'alert',
    severity: 'High',
    hours: 2,
    where: { directions: ['input', 'context', 'tool'], verdicts: ['suspicious', 'malicious'] },
    later: {
      directions: ['output'],
      rules: ['PB-CANARY', 'PB-CREDENTIALS', 'PB-EXFIL-*', 'PB-SMUGGLE'],
    },
  },
  {
    id: 'slow-burn',
    title: 'Slow burn: many suspicious texts in one session',
    description: 'No text of the session is malicious by itself, but several are suspicious.',
    kind: 'hunt',
    severity: 'Medium',
    hours: 24,
    where: { verdicts: ['suspicious'] },
    groups: {
      by: ['SessionId'],
      counts: [{ name: 'Texts' }, { name: 'Rules', of: 'rule_id' }],
      having: { count: 'Texts', atLeast: 3 },
    },
  },
  {
    id: 'probing',
    title: 'Probing: one user sets off several different rules',
    description: 'A user tries one kind of attack after another.',
    kind: 'hunt',
    severity: 'Medium',
    hours: 24,
    where: { directions: ['input'] },
    groups: {
      by: ['User'],
      counts: [{ name: 'Findings' }, { name: 'Rules', of: 'rule_id' }],
      having: { count: 'Rules', atLeast: 4 },
    },
  },
  {
    id: 'rule-noise',
    title: 'How often each rule fires',
    description: 'Rules that fire for many users and sessions may need a filter of your own.',
    kind: 'hunt',
    severity: 'Informational',
    hours: 168,
    where: {},
    groups: {
      by: ['rule_id', 'Direction'],
      counts: [
        { name: 'Findings' },
        { name: 'Users', of: 'User' },
        { name: 'Sessions', of: 'SessionId' },
      ],
    },
  },
  {
    id: 'technique-trend',
    title: 'Techniques by day',
    description: 'Findings by MITRE ATLAS technique over the last four weeks.',
    kind: 'hunt',
    severity: 'Informational',
    hours: 672,
    where: { verdicts: ['suspicious', 'malicious'] },
    groups: { by: ['atlas'], daily: true, counts: [{ name: 'Findings' }] },
  },
  {
    id: 'obfuscation',
    title: 'Findings that were hidden',
    description: 'Attacks that were seen only after decoding: who hides them, and how.',
    kind: 'hunt',
    severity: 'Low',
    hours: 168,
    where: { hidden: true },
    groups: {
      by: ['view', 'Source'],
      counts: [{ name: 'Findings' }, { name: 'Users', of: 'User' }],
    },
  },
  {
    id: 'weak-signs',
    title: 'Weak signs: drawings, spent budgets, overflows',
    description:
      'Findings that honest texts cause, too: words of a reply in the address of a drawing, more layers than are decoded, targets too long to hold back. Look at what sends many of them.',
    kind: 'hunt',
    severity: 'Low',
    hours: 168,
    where: { rules: ['PB-DRAWING', 'PB-BUDGET', 'PB-OVERFLOW'] },
    groups: {
      by: ['rule_id', 'Source'],
      counts: [{ name: 'Findings' }, { name: 'Sessions', of: 'SessionId' }],
    },
  },
];
