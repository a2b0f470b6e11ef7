import { defaultToolPatterns } from '@portolan/contract/assistant';
import type { BlueprintBody } from '@portolan/contract/blueprints';
import { scorecardBlueprints } from './scorecard-blueprints.ts';

/** `_team` (users-and-teams §1.4): identifier and title are those of the team. */
const team: BlueprintBody = {
  identifier: '_team',
  title: 'Team',
  icon: 'Team',
  schema: { properties: { description: { type: 'string', title: 'Description' } }, required: [] },
  aggregationProperties: {
    size: {
      title: 'Size',
      type: 'number',
      target: '_user',
      calculationSpec: { calculationBy: 'entities', func: 'count' },
      pathFilter: [{ path: ['$team'], fromBlueprint: '_user' }],
    },
  },
};

/** `_user` (users-and-teams §1.4): the identifier is the e-mail address, the teams are its ownership. */
const user: BlueprintBody = {
  identifier: '_user',
  title: 'User',
  icon: 'User',
  schema: {
    properties: {
      status: {
        type: 'string',
        title: 'Status',
        enum: ['Active', 'Invited', 'Staged', 'Disabled'],
        enumColors: { Active: 'green', Invited: 'yellow', Staged: 'lightGray', Disabled: 'red' },
      },
      port_role: {
        type: 'string',
        title: 'Role',
        enum: ['Admin', 'Moderator', 'Member'],
        enumColors: { Admin: 'purple', Moderator: 'blue', Member: 'turquoise' },
      },
      moderated_blueprints: { type: 'array', title: 'Moderated Blueprints', items: { type: 'string' } },
      port_type: {
        type: 'string',
        title: 'Type',
        enum: ['Standard', 'Service Account'],
        enumColors: { Standard: 'blue', 'Service Account': 'orange' },
        default: 'Standard',
      },
    },
    required: ['status', 'port_role', 'port_type'],
  },
  ownership: { type: 'Direct', title: 'Teams' },
};

/** `_user` of the beta (users-and-teams §1.2): memberships are a relation, which the teams are inherited from. */
const betaUser: BlueprintBody = {
  identifier: user.identifier,
  title: user.title,
  ...(user.icon ? { icon: user.icon } : {}),
  schema: user.schema,
  relations: { teams: { title: 'Teams', target: '_team', required: false, many: true } },
  teamInheritance: { path: 'teams' },
};

/** `_ai_agent`, exactly as the specification lists it. */
const agent: BlueprintBody = {
  identifier: '_ai_agent',
  title: 'AI Agent',
  icon: 'Robot',
  schema: {
    properties: {
      description: { type: 'string', title: 'Description', description: 'Brief explanation of what the agent does' },
      status: {
        type: 'string',
        title: 'Status',
        description: 'Whether the agent may be run manually or operate autonomously',
        enum: ['active', 'inactive'],
        enumColors: { active: 'green', inactive: 'red' },
        default: 'active',
      },
      tools: {
        type: 'array',
        title: 'Tools',
        description: 'Regular expressions of the tools the agent may execute',
        items: { type: 'string' },
        default: [...defaultToolPatterns],
      },
      prompt: {
        type: 'string',
        title: 'Prompt',
        description: 'System prompt of the agent; for manual invocations a user prompt is supplied at invocation',
        format: 'markdown',
        maxLength: 2500,
      },
      execution_mode: {
        type: 'string',
        title: 'Execution Mode',
        enum: ['Automatic', 'Approval Required'],
        default: 'Approval Required',
      },
      conversation_starters: {
        type: 'array',
        title: 'Conversation Starters',
        description: 'Predefined starter messages for users',
        items: { type: 'string' },
      },
      provider: { type: 'string', title: 'Provider' },
      model: { type: 'string', title: 'Model' },
      labels: { type: 'object', title: 'Labels', description: 'Free labels identifying attributes of the agent' },
    },
    required: ['status', 'tools', 'prompt'],
  },
  ownership: { type: 'Direct', title: 'Owning Teams' },
  aggregationProperties: {
    total_invocations: {
      title: 'Total Invocations',
      type: 'number',
      target: '_ai_invocations',
      calculationSpec: { calculationBy: 'entities', func: 'count' },
    },
  },
};

/** `_ai_invocations`, exactly as the specification lists it; without `asked_by` before users are blueprints. */
const invocations: BlueprintBody = {
  identifier: '_ai_invocations',
  title: 'AI Invocation',
  icon: 'AI',
  schema: {
    properties: {
      status: {
        type: 'string',
        title: 'Status',
        enum: ['In Progress', 'Completed', 'Failed'],
        enumColors: { 'In Progress': 'blue', Completed: 'green', Failed: 'red' },
      },
      asked_at: { type: 'string', title: 'Asked At', description: 'When the agent was invoked', format: 'date-time' },
      replied_at: { type: 'string', title: 'Replied At', description: 'When the agent replied', format: 'date-time' },
      prompt: {
        type: 'string',
        title: 'Prompt',
        description: 'Prompt sent, including both the user prompt and the agent prompt',
        format: 'markdown',
      },
      error: { type: 'string', title: 'Error', description: 'Detailed description of an error when execution failed' },
      response: { type: 'string', title: 'Response', description: 'Final agent response', format: 'markdown' },
      execution_logs: {
        type: 'string',
        title: 'Execution Logs',
        description: 'Reasoning and tool-execution logs',
        format: 'markdown',
      },
      labels: { type: 'object', title: 'Labels', description: 'Free labels identifying attributes of the invocation' },
      quota: { type: 'object', title: 'Quota', description: 'Quota usage' },
      provider: { type: 'string', title: 'Provider', description: 'LLM provider used' },
      model: { type: 'string', title: 'Model', description: 'LLM model used' },
    },
    required: ['status', 'asked_at'],
  },
  relations: {
    agent: { title: 'Agent', target: '_ai_agent', required: false, many: false },
    asked_by: { title: 'Asked By', target: '_user', required: false, many: false },
  },
  mirrorProperties: { agent_title: { title: 'Agent Title', path: 'agent.$title' } },
  ownership: { type: 'Inherited', title: 'Owning Teams', path: 'agent' },
};

const { asked_by: _absent, ...legacyRelations } = invocations.relations ?? {};
const legacyInvocations: BlueprintBody = { ...invocations, relations: legacyRelations };

/** Fields of agents and invocations: from before the cutover, of the specification, or both during the transition. */
export type AgentSchema = 'old' | 'both' | 'new';

/** `_ai_agent` before the cutover (assistant reference §6.1). Nothing was required: such data exists. */
const oldAgentProperties: BlueprintBody['schema']['properties'] = {
  allowed_blueprints: {
    type: 'array',
    title: 'Knowledge',
    description: 'Blueprints the agent may read',
    items: { type: 'string' },
  },
  allowed_tools: { type: 'array', title: 'Allowed Tools', items: { type: 'string' } },
  allowed_actions: {
    type: 'array',
    title: 'Allowed Actions',
    description: 'Actions the agent may run',
    items: { type: 'string' },
  },
};

/** `_ai_invocations` before the cutover (assistant reference §6.2). */
const oldInvocationProperties: BlueprintBody['schema']['properties'] = {
  plan: { type: 'string', title: 'Plan', format: 'markdown' },
  tool_calls: { type: 'array', title: 'Tool Calls', items: { type: 'object' } },
  prompt_tokens: { type: 'number', title: 'Prompt Tokens' },
  completion_tokens: { type: 'number', title: 'Completion Tokens' },
  feedback: { type: 'string', title: 'Feedback', enum: ['Positive', 'Negative'] },
};

/** Fields of the specification that existed before the cutover. */
const keptOfAgent = ['description', 'status', 'prompt', 'execution_mode', 'conversation_starters'];
const keptOfInvocation = ['status', 'prompt', 'response', 'labels'];

/** Names only in the old schema: nobody may add fields with them. */
export const oldAgentNames: Readonly<Record<string, readonly string[]>> = {
  _ai_agent: Object.keys(oldAgentProperties),
  _ai_invocations: ['tool_calls'],
};

function beforeCutover(body: BlueprintBody, schema: AgentSchema): BlueprintBody {
  if (schema === 'new') return body;
  const isAgent = body.identifier === '_ai_agent';
  const kept = new Set(isAgent ? keptOfAgent : keptOfInvocation);
  const own = Object.entries(body.schema.properties)
    .filter(([key]) => schema === 'both' || kept.has(key))
    .map(([key, property]) => [key, isAgent ? undemanding(key, property) : property]);
  const properties = {
    ...Object.fromEntries(own),
    ...(isAgent ? oldAgentProperties : oldInvocationProperties),
  } as BlueprintBody['schema']['properties'];
  const required = schema === 'both' && !isAgent ? ['status'] : [];
  const { asked_by: _, ...oldRelations } = body.relations ?? {};
  return {
    ...body,
    schema: { properties, required },
    ...(body.relations ? { relations: schema === 'both' ? body.relations : oldRelations } : {}),
  };
}

/** Before the cutover prompts had no limit, and status and tools no default. */
function undemanding(key: string, property: BlueprintBody['schema']['properties'][string]) {
  const { maxLength, default: standard, ...rest } = property;
  return key === 'execution_mode' ? { ...rest, default: standard } : rest;
}

/** The schema of a stored blueprint of agents or invocations. */
export function agentSchemaIn({
  identifier,
  definition,
}: {
  readonly identifier: string;
  readonly definition: Pick<BlueprintBody, 'schema'>;
}): AgentSchema {
  const marks: Readonly<Record<string, readonly [old: string, fresh: string]>> = {
    _ai_agent: ['allowed_blueprints', 'tools'],
    _ai_invocations: ['tool_calls', 'asked_at'],
  };
  const mark = marks[identifier];
  const { properties } = definition.schema;
  if (!mark || !Object.hasOwn(properties, mark[0])) return 'new';
  return Object.hasOwn(properties, mark[1]) ? 'both' : 'old';
}

/** The immutable part of a system blueprint in a model; undefined for other identifiers. */
export function systemBlueprint(
  identifier: string,
  model: 'legacy' | 'beta' | 'blueprints' = 'blueprints',
  schema: AgentSchema = 'new',
): BlueprintBody | undefined {
  return listSystemBlueprints(model, schema).find((body) => body.identifier === identifier);
}

const reserved: ReadonlySet<string> = new Set(
  '_user _team _ai_agent _ai_invocations _ai_invocation _scorecard _rule _rule_result _mcp_server'.split(' '),
);

/** Whether a system blueprint has this name, even if the organization lacks it. */
export function isReserved(identifier: string): boolean {
  return reserved.has(identifier);
}

/** System blueprints of a new organization in a model, in the order of creation. */
export function listSystemBlueprints(
  model: 'legacy' | 'beta' | 'blueprints',
  schema: AgentSchema = 'new',
): BlueprintBody[] {
  const agents = beforeCutover(agent, schema);
  if (model === 'legacy') return [agents, beforeCutover(legacyInvocations, schema), ...scorecardBlueprints];
  const people = [model === 'beta' ? betaUser : user, team];
  return [...people, agents, beforeCutover(invocations, schema), ...scorecardBlueprints];
}
