import { defaultToolPatterns, type ExecutionMode, parseExecutionMode } from '@portolan/contract/assistant';
import { isRecord } from '@portolan/contract/json-value';
import { AppError } from '../../../platform/errors.ts';
import type { AdmittedInvocation, CutoverNow } from '../cutover/decide-invocation.ts';
import { digestAgent } from './agent-version.ts';
import { type AgentProperties, agentToolPatterns, updateAgent } from './update-agent.ts';

export interface Agent {
  readonly identifier: string;
  /** Of what it is told to do; standing approvals are bound to it. */
  readonly version: string;
  readonly prompt: string;
  /** Tool patterns; a request can only narrow them. */
  readonly tools: readonly string[];
  readonly executionMode: ExecutionMode;
  readonly provider?: string;
  readonly model?: string;
  /** What it says has to be backed by what it read. */
  readonly receipts?: 'strict';
  /** The only blueprints it may read; agents from before the cutover may have this limit. */
  readonly blueprints?: readonly string[];
}

/**
 * The agent of an entity at the organization's stage. Before the cutover it uses its old fields unless the new
 * assistant was requested; at the cutover the new ones, mapped on the fly while its update is pending.
 * @throws AppError `agent_inactive`, `agent_schema_outdated`
 */
export function toAgent(
  identifier: string,
  properties: AgentProperties,
  { stage }: Pick<CutoverNow, 'stage'>,
  generation: AdmittedInvocation['generation'],
): Agent {
  const { changes, findings } = updateAgent(properties);
  const isAfter = stage === 'cutover';
  const blocking = isAfter ? findings.filter(({ blocks }) => blocks) : [];
  if (blocking.length > 0) {
    throw new AppError(
      'agent_schema_outdated',
      `The agent "${identifier}" was not brought to the new schema: it ${blocking.map(({ message }) => message).join('; ')}`,
      { details: blocking.map(({ path, message }) => ({ path, message })) },
    );
  }
  const values: AgentProperties = { ...properties, ...changes };
  // old agents may have no status; only `inactive` stops them
  const status = isAfter ? values['status'] : (properties['status'] ?? 'active');
  if (status !== 'active') {
    throw new AppError('agent_inactive', `The agent "${identifier}" is not active`);
  }
  const hasOld = ['allowed_actions', 'allowed_blueprints'].some((key) => Array.isArray(properties[key]));
  const runsOld = generation === 'old' && !isAfter && hasOld;
  return {
    identifier,
    version: digestAgent(properties),
    prompt: toText(values['prompt']) ?? '',
    tools: runsOld
      ? agentToolPatterns(toTextList(properties['allowed_actions']) ?? [])
      : (toTextList(values['tools']) ?? defaultToolPatterns),
    executionMode: parseExecutionMode(toText(values['execution_mode']) ?? '') ?? 'Manual Approval',
    ...optional('provider', toText(values['provider'])),
    ...optional('model', toText(values['model'])),
    ...(isStrict(values['labels']) ? { receipts: 'strict' as const } : {}),
    ...(runsOld && Array.isArray(properties['allowed_blueprints'])
      ? { blueprints: toTextList(properties['allowed_blueprints']) ?? [] }
      : {}),
  };
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}

/** The specification closes the fields of agents, and leaves their labels free. */
function isStrict(labels: unknown): boolean {
  return isRecord(labels) && labels['receipts'] === 'strict';
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function toTextList(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}
