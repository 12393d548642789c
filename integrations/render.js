// Renders one query in each language. Sentinel and Splunk read the native event, Elastic the ECS document.

/** @typedef {import('./queries.js').Query} Query */
/** @typedef {import('./queries.js').Where} Where */

/** Fields of one finding rather than of the event. */
const OF_FINDING = new Set(['rule_id', 'atlas', 'view']);

/** @param {Query} query */
function needsFindings(query) {
  const { where, groups } = query;
  const named = [...(groups?.by ?? []), ...(groups?.counts ?? []).map(({ of }) => of ?? '')];
  return (
    where.rules !== undefined || where.hidden === true || named.some((one) => OF_FINDING.has(one))
  );
}

/** @param {readonly string[]} values */
function quoted(values) {
  return values.map((value) => `"${value}"`).join(', ');
}

/** @param {readonly string[]} rules @param {(id: string) => string} exact @param {(start: string) => string} prefix */
function anyRule(rules, exact, prefix) {
  const tests = rules.map((rule) => (rule.endsWith('*') ? prefix(rule.slice(0, -1)) : exact(rule)));
  return tests.join(' or ');
}

/** @param {Where} where */
function kqlWhere({ verdicts, directions, rules, hidden }) {
  const lines = [];
  if (directions) lines.push(`| where Direction in (${quoted(directions)})`);
  if (verdicts) lines.push(`| where verdict in (${quoted(verdicts)})`);
  if (rules || hidden) lines.push(...KQL_FINDINGS);
  if (rules) {
    const test = anyRule(
      rules,
      (id) => `rule_id == "${id}"`,
      (start) => `rule_id startswith "${start}"`,
    );
    lines.push(`| where ${test}`);
  }
  if (hidden) lines.push('| where view != "original"');
  return lines;
}

const KQL_FINDINGS = [
  '| mv-expand detection = todynamic(detections)',
  '| extend rule_id = tostring(detection.rule_id), view = tostring(detection.view), atlas = detection.atlas',
];

/** @param {Query} query */
export function kql(query) {
  const { where, later, groups, hours } = query;
  const source = ['PromptInjection_CL', `| where TimeGenerated > ago(${hours}h)`];
  if (later) {
    return [
      `let injections = ${source.join('\n    ')}`,
      ...kqlWhere(where).map((line) => `    ${line}`),
      '    | where isnotempty(SessionId)',
      '    | project SessionId, InjectionTime = TimeGenerated, InjectionScore = score;',
      ...source,
      ...kqlWhere(later),
      '| join kind=inner injections on SessionId',
      '| where TimeGenerated between (InjectionTime .. 1h)',
      '| summarize InjectionTime = min(InjectionTime), InjectionScore = max(InjectionScore), Rules = make_set(rule_id) by TimeGenerated, SessionId, Source',
    ].join('\n');
  }
  const lines = [...source, ...kqlWhere(where)];
  if (!groups) {
    const names =
      'TimeGenerated, Source, Direction, User, SessionId, ContentType, ContentId, verdict, score, detections, input_sha256';
    if (needsFindings(query))
      lines.push('| summarize arg_max(score, *) by TimeGenerated, Source, input_sha256');
    return [...lines, `| project ${names}`, '| sort by TimeGenerated desc'].join('\n');
  }
  if (needsFindings(query) && !where.rules && !where.hidden) lines.push(...KQL_FINDINGS);
  if (groups.by.includes('atlas')) {
    lines.push('| mv-expand technique = atlas to typeof(string)');
  }
  const counts = groups.counts.map(({ name, of }) => {
    if (of) return `${name} = dcount(${of})`;
    return `${name} = ${countsEvents(query) ? 'dcount(strcat(tostring(TimeGenerated), input_sha256))' : 'count()'}`;
  });
  /** @type {string[]} */
  const by = groups.by.map((field) => (field === 'atlas' ? 'technique' : field));
  if (groups.daily) by.push('Day = bin(TimeGenerated, 1d)');
  lines.push(
    `| summarize ${counts.join(', ')}, FirstSeen = min(TimeGenerated), LastSeen = max(TimeGenerated) by ${by.join(', ')}`,
  );
  if (groups.having) lines.push(`| where ${groups.having.count} >= ${groups.having.atLeast}`);
  return [
    ...lines,
    `| sort by ${groups.daily ? 'Day asc' : `${groups.counts[0]?.name} desc`}`,
  ].join('\n');
}

/** Whether events are counted though there is a row for each finding. @param {Query} query */
function countsEvents(query) {
  const { groups } = query;
  return needsFindings(query) && !(groups?.counts ?? []).some(({ name }) => name === 'Findings');
}

/** @param {Where} where */
function splWhere({ verdicts, directions, rules, hidden }) {
  const terms = ['sourcetype="pab:event"', 'EventType="PromptInjectionScan"'];
  if (directions) terms.push(`Direction IN (${quoted(directions)})`);
  if (verdicts) terms.push(`verdict IN (${quoted(verdicts)})`);
  const lines = [terms.join(' ')];
  if (rules || hidden) lines.push(...SPL_FINDINGS);
  if (rules) lines.push(`| search rule_id IN (${quoted(rules)})`);
  if (hidden) lines.push('| where view!="original"');
  return lines;
}

const SPL_FINDINGS = [
  '| spath path=detections{} output=detection',
  '| mvexpand detection',
  '| spath input=detection path=rule_id output=rule_id',
  '| spath input=detection path=view output=view',
  '| spath input=detection path=atlas{} output=atlas',
];

/** @param {Query} query */
export function spl(query) {
  const { where, later, groups } = query;
  if (later) {
    const early = splWhere(where)[0]?.replace(
      'sourcetype="pab:event" EventType="PromptInjectionScan" ',
      '',
    );
    const terms = splWhere({ ...later, rules: [] })[0]?.replace(
      'sourcetype="pab:event" EventType="PromptInjectionScan" ',
      '',
    );
    const late = `${terms} "detections{}.rule_id" IN (${quoted(later.rules ?? [])})`;
    return [
      `sourcetype="pab:event" EventType="PromptInjectionScan" SessionId=* ((${early}) OR (${late}))`,
      '| sort 0 _time',
      '| eval injected=if(Direction="output", null(), _time)',
      '| streamstats last(injected) as InjectionTime by SessionId',
      '| where Direction="output" AND _time - InjectionTime <= 3600',
      '| table _time InjectionTime SessionId Source User score detections{}.rule_id',
    ].join('\n');
  }
  const lines = splWhere(where);
  if (!groups) {
    if (needsFindings(query)) lines.push('| dedup _time Source input_sha256');
    return [
      ...lines,
      '| table _time Source Direction User SessionId ContentType ContentId verdict score detections{}.rule_id input_sha256',
      '| sort - _time',
    ].join('\n');
  }
  if (needsFindings(query) && !where.rules && !where.hidden) lines.push(...SPL_FINDINGS);
  if (groups.by.includes('atlas')) lines.push('| mvexpand atlas');
  if (groups.daily) lines.push('| bin _time span=1d');
  if (countsEvents(query)) lines.push('| eval event=TimeGenerated.input_sha256');
  const counts = groups.counts.map(({ name, of }) => {
    if (of) return `dc(${of}) as ${name}`;
    return `${countsEvents(query) ? 'dc(event)' : 'count'} as ${name}`;
  });
  const by = [...(groups.daily ? ['_time'] : []), ...groups.by];
  const seen = groups.daily ? '' : ' min(_time) as FirstSeen max(_time) as LastSeen';
  lines.push(`| stats ${counts.join(' ')}${seen} by ${by.join(' ')}`);
  if (groups.having) lines.push(`| where ${groups.having.count}>=${groups.having.atLeast}`);
  return [...lines, groups.daily ? '| sort _time' : `| sort - ${groups.counts[0]?.name}`].join(
    '\n',
  );
}

/** Names of the ECS document. @type {Record<string, string>} */
const ECS = {
  SessionId: 'prompt_injection.session_id',
  User: 'user.name',
  Source: 'event.provider',
  Direction: 'prompt_injection.direction',
  ContentId: 'prompt_injection.content_id',
  rule_id: 'rule.id',
  atlas: 'threat.technique.id',
  view: 'prompt_injection.views',
};

/** @param {string} field */
function ecs(field) {
  return ECS[field] ?? field;
}

/** @param {Where} where */
function esqlWhere({ verdicts, directions, rules, hidden }) {
  const lines = [];
  if (directions) lines.push(`| WHERE prompt_injection.direction IN (${quoted(directions)})`);
  if (verdicts) lines.push(`| WHERE prompt_injection.verdict IN (${quoted(verdicts)})`);
  if (rules) {
    lines.push('| MV_EXPAND rule.id');
    const test = anyRule(
      rules,
      (id) => `rule.id == "${id}"`,
      (start) => `STARTS_WITH(rule.id, "${start}")`,
    );
    lines.push(`| WHERE ${test.replaceAll(' or ', ' OR ')}`);
  }
  if (hidden)
    lines.push(
      '| MV_EXPAND prompt_injection.views',
      '| WHERE prompt_injection.views != "original"',
    );
  return lines;
}

/** @param {Query} query */
export function esql(query) {
  const { where, later, groups, hours } = query;
  const source = ['FROM logs-pab.scan-*', `| WHERE @timestamp > NOW() - ${hours} hours`];
  if (later) {
    const named = (later.rules ?? []).map(
      (rule) => `MV_CONCAT(rule.id, " ") LIKE "*${rule.replace('*', '')}*"`,
    );
    const test = named.join(' OR ');
    return [
      ...source,
      '| WHERE prompt_injection.session_id IS NOT NULL',
      `| EVAL injected = CASE(prompt_injection.direction IN (${quoted(where.directions ?? [])}) AND prompt_injection.verdict IN (${quoted(where.verdicts ?? [])}), @timestamp, NULL)`,
      `| EVAL leaked = CASE(prompt_injection.direction IN (${quoted(later.directions ?? [])}) AND (${test}), @timestamp, NULL)`,
      '| STATS injection_time = MIN(injected), leak_time = MAX(leaked) BY prompt_injection.session_id',
      '| WHERE leak_time >= injection_time',
      '| SORT leak_time DESC',
    ].join('\n');
  }
  const lines = [...source, ...esqlWhere(where)];
  if (!groups) {
    return [
      ...lines,
      '| KEEP @timestamp, event.provider, prompt_injection.direction, user.name, prompt_injection.session_id, prompt_injection.content_type, prompt_injection.content_id, prompt_injection.verdict, prompt_injection.score, rule.id, prompt_injection.input_sha256',
      '| SORT @timestamp DESC',
    ].join('\n');
  }
  for (const field of ['rule_id', 'atlas']) {
    const named = groups.by.includes(/** @type {'rule_id'} */ (field));
    if (named && !where.rules) lines.push(`| MV_EXPAND ${ecs(field)}`);
  }
  if (groups.daily) lines.push('| EVAL day = DATE_TRUNC(1 day, @timestamp)');
  const counts = groups.counts.map(({ name, of }) =>
    of ? `${name} = COUNT_DISTINCT(${ecs(of)})` : `${name} = COUNT(*)`,
  );
  const by = [...(groups.daily ? ['day'] : []), ...groups.by.map(ecs)];
  lines.push(`| STATS ${counts.join(', ')} BY ${by.join(', ')}`);
  if (groups.having) lines.push(`| WHERE ${groups.having.count} >= ${groups.having.atLeast}`);
  return [...lines, groups.daily ? '| SORT day ASC' : `| SORT ${groups.counts[0]?.name} DESC`].join(
    '\n',
  );
}
