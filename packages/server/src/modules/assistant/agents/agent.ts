import { defaultToolPatterns, type ExecutionMode, parseExecutionMode } from '@portolan/contract';
import { AppError } from '../../../platform/errors.ts';
import type { Admitted, CutoverNow } from '../cutover/decide-invocation.ts';
import { type AgentProperties, toolsOf, updateAgent } from './update-agent.ts';

/** An agent as it runs. */
export interface Agent {
  readonly identifier: string;
  readonly prompt: string;
  /** The patterns of its tools; a request can narrow them. */
  readonly tools: readonly string[];
  readonly executionMode: ExecutionMode;
  readonly provider?: string;
  readonly model?: string;
  /** The only blueprints it reads: a limit that agents had before the cutover. */
  readonly blueprints?: readonly string[];
}

/**
 * The agent that an entity describes, at the organization's stage. Before the cutover it runs by its old fields unless
 * the new assistant was asked for; at the cutover by the new ones, mapped in passing where the update is still under way.
 * @throws AppError `agent_inactive`, `agent_schema_outdated`
 */
export function agentOf(
  identifier: string,
  properties: AgentProperties,
  { stage }: Pick<CutoverNow, 'stage'>,
  generation: Admitted['generation'],
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
  // before the cutover no status had a default, and only `inactive` stopped an agent
  const status = isAfter ? values['status'] : (properties['status'] ?? 'active');
  if (status !== 'active') {
    throw new AppError('agent_inactive', `The agent "${identifier}" is not active`);
  }
  const hasOld = ['allowed_actions', 'allowed_blueprints'].some((key) => Array.isArray(properties[key]));
  const runsOld = generation === 'old' && !isAfter && hasOld;
  return {
    identifier,
    prompt: textOf(values['prompt']) ?? '',
    tools: runsOld
      ? toolsOf(listOf(properties['allowed_actions']) ?? [])
      : (listOf(values['tools']) ?? defaultToolPatterns),
    executionMode: parseExecutionMode(textOf(values['execution_mode']) ?? '') ?? 'Manual Approval',
    ...optional('provider', textOf(values['provider'])),
    ...optional('model', textOf(values['model'])),
    ...(runsOld && Array.isArray(properties['allowed_blueprints'])
      ? { blueprints: listOf(properties['allowed_blueprints']) ?? [] }
      : {}),
  };
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}
