import { z } from 'zod';
import { aiLimitsAnswer, aiUsageAnswer } from './ai-usage.ts';
import { invokeBody } from './assistant.ts';
import { invocationAnswer, invocationEvidence, invocationsAnswer } from './invocation-answers.ts';
import { invocationAccepted, invocationStatus, quotaAnswer, toolsAnswer } from './invocation-stream.ts';
import { operation } from './operation.ts';
import { receiptsAnswer } from './receipts.ts';
import { queryBoolean, queryFlag, queryInteger, queryText } from './wire.ts';

const invocationParams = z.object({ invocation_identifier: z.string().min(1).max(1000) });
const streamQuery = z.object({ deltas: queryBoolean(), receipts: queryBoolean() });

export const invokeAssistant = operation({
  id: 'invokeAssistant',
  method: 'POST',
  path: '/v1/ai/invoke',
  aliases: ['/ai/invoke'],
  tag: 'AI assistant',
  summary: 'Ask the assistant',
  description:
    'Always streams, always over MCP tools, with the rights of the caller. The stream begins with `invocationIdentifier` and ends with `done`, after a failure too. Send `Last-Event-ID` to continue a stream that broke, `?deltas=true` for text letter by letter, `?receipts=true` for what backs each sentence before the end, `Prefer: respond-async` for 202 and an identifier. The same `Idempotency-Key` never asks twice.',
  access: 'token',
  scope: 'invoke:ai',
  invalidStatus: 400,
  query: streamQuery.extend({ invocation_identifier: queryText() }),
  body: invokeBody,
  readsRawBody: true,
  answerType: 'text/event-stream',
  errors: [
    'ai_not_allowed',
    'ai_not_enabled',
    'conflicting_fields',
    'idempotency_key_reused',
    'conversation_busy',
    'conversation_full',
    'not_found',
    'ai_rate_limited',
    'ai_quota_exceeded',
    'ai_budget_exceeded',
  ],
});

const agentBody = z
  .object({
    query: invokeBody.shape.userPrompt.describe('The question.'),
    executionMode: invokeBody.shape.executionMode.describe('May tighten the mode of the agent, never loosen it.'),
    tools: invokeBody.shape.tools.describe('Narrows the tools of the agent, never widens them.'),
    labels: invokeBody.shape.labels,
    conversation: invokeBody.shape.conversation,
    parent: invokeBody.shape.parent,
    replaces: invokeBody.shape.replaces,
  })
  .meta({ id: 'AgentInvokeBody' });

const agentQuery = streamQuery.extend({
  invocation_identifier: queryText(),
  stream: queryFlag(),
  use_mcp: queryFlag(),
  /** Earlier spellings of `use_mcp`. */
  useMCP: queryFlag(),
  useMcp: queryFlag(),
});

const agentErrors = [
  'agent_inactive',
  'agent_schema_outdated',
  'ai_not_allowed',
  'ai_not_enabled',
  'conflicting_fields',
  'idempotency_key_reused',
  'conversation_busy',
  'conversation_full',
  'not_found',
  'ai_rate_limited',
  'ai_quota_exceeded',
  'ai_budget_exceeded',
] as const;

export const invokeAgent = operation({
  id: 'invokeAgent',
  method: 'POST',
  path: '/v1/agent/{agent_identifier}/invoke',
  aliases: ['/agent/{agent_identifier}/invoke'],
  tag: 'AI assistant',
  summary: 'Ask an agent',
  description:
    'Streams like the assistant does. `stream=false` answers 202 and an identifier, to be read with `GET /v1/ai/invoke/{invocation_identifier}`. Before the cutover of the organization, `stream` and `use_mcp` have to be sent as `true`; afterwards they are the defaults. The assistant is in open beta and not recommended for production-critical workflows at first.',
  access: 'token',
  scope: 'invoke:ai',
  invalidStatus: 400,
  params: z.object({ agent_identifier: z.string().min(1).max(1000) }),
  query: agentQuery,
  body: agentBody,
  readsRawBody: true,
  answerType: 'text/event-stream',
  errors: agentErrors,
});

export const invokeRouter = operation({
  id: 'invokeRouter',
  method: 'POST',
  path: '/v1/agent/invoke',
  aliases: ['/agent/invoke'],
  tag: 'AI assistant',
  summary: 'Ask an agent that the body names (deprecated)',
  description:
    'Removed: after the cutover of the organization it answers 410 with two ways on, the agent’s own path or the general assistant. Before, it answers 202 and an identifier, or a stream with `stream=true`.',
  deprecated: true,
  access: 'token',
  scope: 'invoke:ai',
  invalidStatus: 400,
  status: 202,
  query: agentQuery,
  body: agentBody.extend({ agent_id: z.string().optional().describe('Identifier of the agent.') }),
  readsRawBody: true,
  answer: invocationAccepted,
  errors: [...agentErrors, 'endpoint_removed'],
});

export const getInvocation = operation({
  id: 'getInvocation',
  method: 'GET',
  path: '/v1/ai/invoke/{invocation_identifier}',
  aliases: [
    '/ai/invoke/{invocation_identifier}',
    '/v1/agent/invoke/{invocation_identifier}',
    '/agent/invoke/{invocation_identifier}',
  ],
  tag: 'AI assistant',
  summary: 'Read the state and the whole answer of an invocation',
  access: 'token',
  invalidStatus: 400,
  params: invocationParams,
  answer: invocationAnswer,
  errors: ['not_found'],
});

export const streamInvocation = operation({
  id: 'streamInvocation',
  method: 'GET',
  path: '/v1/ai/invoke/{invocation_identifier}/events',
  tag: 'AI assistant',
  summary: 'Read the event stream of an invocation from the start, or after `Last-Event-ID`, to its end',
  description:
    'A `Last-Event-ID` of `done` or beyond it is answered with 204, which stops an `EventSource`; one of another invocation, or of an event that was not sent yet, with 400.',
  access: 'token',
  invalidStatus: 400,
  params: invocationParams,
  query: streamQuery,
  answerType: 'text/event-stream',
  errors: ['not_found'],
});

export const cancelInvocation = operation({
  id: 'cancelInvocation',
  method: 'DELETE',
  path: '/v1/ai/invoke/{invocation_identifier}',
  tag: 'AI assistant',
  summary: 'Cancel an invocation; what it has said so far is kept',
  access: 'token',
  scope: 'invoke:ai',
  invalidStatus: 400,
  params: invocationParams,
  answer: invocationAnswer,
  errors: ['not_found'],
});

export const cancelInvocationByPost = operation({
  ...cancelInvocation,
  id: 'cancelInvocationByPost',
  method: 'POST',
  path: '/v1/ai/invoke/{invocation_identifier}/cancel',
});

export const listInvocations = operation({
  id: 'listInvocations',
  method: 'GET',
  path: '/v1/ai/invocations',
  tag: 'AI assistant',
  summary: 'List invocations, newest first',
  access: 'token',
  invalidStatus: 400,
  query: z.object({
    label: z.union([z.string(), z.array(z.string())]).optional(),
    status: z.preprocess((value) => value || undefined, invocationStatus.optional()),
    agent: queryText(),
    user: queryText(),
    from: z.preprocess((value) => value || undefined, z.iso.datetime({ offset: true }).optional()),
    to: z.preprocess((value) => value || undefined, z.iso.datetime({ offset: true }).optional()),
    limit: queryInteger({ min: 1, max: 200, default: 50 }),
    next: queryText(),
  }),
  answer: invocationsAnswer,
  errors: [],
});

export const getInvocationEvidence = operation({
  id: 'getInvocationEvidence',
  method: 'GET',
  path: '/v1/ai/invocations/{invocation_identifier}/evidence',
  tag: 'AI assistant',
  summary: 'Read what led from a question to changes: tool calls, runs, who approved them, entities, audit records',
  description:
    'For whoever may read the invocation; runs, entities and audit records are those that the caller may read. Runs need the scope to read actions, audit records the one to read the audit log.',
  access: 'token',
  invalidStatus: 400,
  params: invocationParams,
  answer: invocationEvidence,
  errors: ['not_found'],
});

export const proposeWorkflowOfInvocation = operation({
  id: 'proposeWorkflowOfInvocation',
  method: 'POST',
  path: '/v1/ai/invocations/{invocation_identifier}/workflow-proposal',
  tag: 'AI assistant',
  summary: 'Propose a workflow that does again what an answer did',
  description:
    'For whoever may read the answer, which has to have ended; the proposal is theirs. Each call becomes a step, and what was filled in becomes the form that the workflow begins with. Calls that no step does stand in its questions. Asking again takes the place of what was proposed before.',
  access: 'token',
  scope: 'create:actions',
  invalidStatus: 400,
  params: invocationParams,
  answer: z.object({ ok: z.literal(true), proposal: z.object({ identifier: z.string() }) }),
  errors: ['not_found', 'invalid_workflow', 'payload_too_large', 'limit_reached'],
});

export const getInvocationReceipts = operation({
  id: 'getInvocationReceipts',
  method: 'GET',
  path: '/v1/ai/invoke/{invocation_identifier}/receipts',
  tag: 'AI assistant',
  summary: 'Read what backs each sentence of an answer',
  description:
    'For whoever may read the invocation, once it has ended. A record that the caller may not read now is `{"kind": "hidden"}`, and so is what rests on it. 404 while it runs, if it read nothing, and after its content was removed.',
  access: 'token',
  invalidStatus: 400,
  params: invocationParams,
  answer: receiptsAnswer,
  errors: ['not_found'],
});

export const listAiTools = operation({
  id: 'listAiTools',
  method: 'GET',
  path: '/v1/ai/tools',
  tag: 'AI assistant',
  summary: 'List the tools that patterns of a question or an agent choose from, as far as the caller may use them',
  description:
    'Reading tools, and `run_<identifier>` for each published action that the caller may run. A pattern is matched from the start of a name, as `^(?:pattern)`.',
  access: 'token',
  invalidStatus: 400,
  answer: toolsAnswer,
  errors: [],
});

export const getAiQuota = operation({
  id: 'getAiQuota',
  method: 'GET',
  path: '/v1/quota/ai-invocations',
  tag: 'AI assistant',
  summary: 'Read what is left of this month’s invocations',
  access: 'token',
  invalidStatus: 400,
  answer: quotaAnswer,
  errors: [],
});

export const getAiLimits = operation({
  id: 'getAiLimits',
  method: 'GET',
  path: '/v1/ai/limits',
  tag: 'AI assistant',
  summary: 'Read the limits of the assistant: plan, month, hour, and how long contents are kept',
  access: 'token',
  invalidStatus: 400,
  answer: aiLimitsAnswer,
  errors: [],
});

export const getAiUsage = operation({
  id: 'getAiUsage',
  method: 'GET',
  path: '/v1/ai/usage',
  tag: 'AI assistant',
  summary: 'Read how much the assistant is used: invocations over time, tokens, cost, and who uses it most',
  description:
    'Intervals begin at full hours, days, Mondays or months in UTC; those without an invocation are listed with zeros. At most 1,000 intervals and 366 days. `costUsd` is the sum of known costs; `uncosted` says of how many invocations the cost is not known.',
  access: 'admin',
  invalidStatus: 400,
  query: z.object({
    from: z.preprocess((value) => value || undefined, z.iso.datetime({ offset: true }).optional()),
    to: z.preprocess((value) => value || undefined, z.iso.datetime({ offset: true }).optional()),
    interval: z.preprocess((value) => value || undefined, z.enum(['hour', 'day', 'week', 'month']).default('day')),
  }),
  answer: aiUsageAnswer,
  errors: [],
});

export const assistantOperations = [
  invokeAssistant,
  invokeAgent,
  invokeRouter,
  getInvocation,
  streamInvocation,
  cancelInvocation,
  cancelInvocationByPost,
  listInvocations,
  getInvocationEvidence,
  proposeWorkflowOfInvocation,
  getInvocationReceipts,
  listAiTools,
  getAiQuota,
  getAiLimits,
  getAiUsage,
] as const;
