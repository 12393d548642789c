/** Where hostile text enters, in the order C01–C34 of the corpus documentation. */
export const CHANNELS = [
  'tool_result',
  'web_page',
  'web_hidden',
  'url',
  'search_snippet',
  'document',
  'document_hidden',
  'metadata',
  'filename',
  'email',
  'email_header',
  'calendar',
  'chat',
  'issue',
  'pull_request',
  'commit',
  'code',
  'agent_config',
  'dependency',
  'log',
  'terminal',
  'error_message',
  'database_row',
  'spreadsheet',
  'image',
  'mcp_tool',
  'mcp_resource',
  'skill',
  'memory',
  'agent_message',
  'user_message',
  'multi_turn',
  'user_content',
  'ad',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** Techniques, in the order F01–F25; `baseline` is hostile text typed by the user, `control` a control's. */
export const FAMILIES = [
  'instruction_override',
  'context_termination',
  'authority_claim',
  'role_spoof',
  'data_exfiltration',
  'rendered_exfiltration',
  'tool_redirection',
  'destructive_action',
  'encoding',
  'invisible_text',
  'payload_splitting',
  'multilingual',
  'role_play',
  'conversation_hijack',
  'delayed_trigger',
  'persistence',
  'self_propagation',
  'task_aligned',
  'approval_bypass',
  'preference_manipulation',
  'denial_of_service',
  'shadowing',
  'secret_disclosure',
  'supply_chain',
  'guard_targeted',
  'baseline',
  'control',
] as const;
export type Family = (typeof FAMILIES)[number];

/** Kinds of control, K1–K4. */
export const CONTROL_TYPES = ['benign', 'hard_benign', 'near_miss', 'fidelity'] as const;
export type ControlType = (typeof CONTROL_TYPES)[number];

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type ScenarioSeverity = (typeof SEVERITIES)[number];
