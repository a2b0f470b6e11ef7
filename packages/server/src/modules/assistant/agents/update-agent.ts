import { defaultToolPatterns, parseExecutionMode } from '@portolan/contract/assistant';
import { toolPatternProblem } from '../../../platform/tools/tool-patterns.ts';

export type AgentProperties = Readonly<Record<string, unknown>>;

/** A finding about an agent's update. `blocks` means that the agent cannot be used as it is. */
export interface AgentFinding {
  readonly code:
    | 'prompt_missing'
    | 'prompt_too_long'
    | 'status_missing'
    | 'blueprints_widened'
    | 'action_missing'
    | 'pattern_invalid'
    | 'execution_mode_unknown'
    | 'automatic_with_actions';
  readonly path: string;
  readonly message: string;
  readonly blocks: boolean;
}

export interface AgentUpdate {
  /** Properties to write; empty if up to date. */
  readonly changes: AgentProperties;
  readonly findings: readonly AgentFinding[];
}

const promptCharactersMax = 2500;

/**
 * Computes an agent's update to the new schema, with findings for people (assistant reference §9.3). Pure and
 * idempotent. A missing status becomes `inactive`: fail closed.
 */
export function updateAgent(properties: AgentProperties, knownActions?: ReadonlySet<string>): AgentUpdate {
  const changes: Record<string, unknown> = {};
  const findings: AgentFinding[] = [];
  const found = (code: AgentFinding['code'], key: string, message: string, blocks = false) => {
    findings.push({ code, path: `/properties/${key}`, message, blocks });
  };
  checkPrompt(properties['prompt'], found);
  if (!isSet(properties['status'])) {
    changes['status'] = 'inactive';
    found('status_missing', 'status', 'had no status and becomes inactive; make it active to use it');
  }
  changeMode(properties, changes, found);
  if (properties['tools'] === undefined) {
    const actions = texts(properties['allowed_actions']);
    const gone = knownActions ? actions.filter((action) => !knownActions.has(action)) : [];
    for (const action of gone) {
      found('action_missing', 'allowed_actions', `the action "${action}" does not exist any more and is left out`);
    }
    changes['tools'] = agentToolPatterns(actions.filter((action) => !gone.includes(action)));
    if (texts(properties['allowed_blueprints']).length > 0) {
      const message = `was limited to ${texts(properties['allowed_blueprints']).join(', ')}, and reads from now on what its caller may read`;
      found('blueprints_widened', 'allowed_blueprints', message);
    }
  }
  for (const key of ['provider', 'model']) if (properties[key] === '') changes[key] = null;
  const tools = texts(changes['tools'] ?? properties['tools']);
  for (const [index, pattern] of tools.entries()) {
    const problem = toolPatternProblem(pattern);
    if (problem) found('pattern_invalid', `tools/${index}`, `matches nothing: ${problem}`);
  }
  const mode = changes['execution_mode'] ?? properties['execution_mode'];
  if (mode === 'Automatic' && tools.some((pattern) => !defaultToolPatterns.includes(pattern))) {
    found('automatic_with_actions', 'execution_mode', 'may run actions unattended');
  }
  return { changes, findings };
}

type AddFinding = (code: AgentFinding['code'], key: string, message: string, blocks?: boolean) => void;

function checkPrompt(prompt: unknown, found: AddFinding): void {
  if (typeof prompt !== 'string' || prompt.trim() === '') {
    found('prompt_missing', 'prompt', 'has no prompt; write one', true);
    return;
  }
  const length = [...prompt].length;
  if (length > promptCharactersMax) {
    const message = `has ${length} characters; shorten it to ${promptCharactersMax}`;
    found('prompt_too_long', 'prompt', message, true);
  }
}

function changeMode(properties: AgentProperties, changes: Record<string, unknown>, found: AddFinding): void {
  const written = properties['execution_mode'] ?? properties['executionMode'];
  const known = typeof written === 'string' ? parseExecutionMode(written) : undefined;
  const mode = known === 'Automatic' ? 'Automatic' : 'Approval Required';
  if (isSet(written) && !known) {
    found('execution_mode_unknown', 'execution_mode', 'was not a known mode and becomes Approval Required');
  }
  if (properties['execution_mode'] !== mode) changes['execution_mode'] = mode;
}

/** The tool patterns for a list of actions: all reads, and each action by its exact name. */
export function agentToolPatterns(actions: readonly string[]): string[] {
  return [...defaultToolPatterns, ...actions.map((action) => `run_${escaped(action)}$`)];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
