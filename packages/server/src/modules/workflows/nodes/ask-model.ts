import { invokeAgent, invokeAssistant } from '@portolan/contract/assistant-operations';
import { isRecord } from '@portolan/contract/json-value';
import type { Operation } from '@portolan/contract/operation';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { parseJson } from '../../../platform/parse-json.ts';
import { readInvocationId } from '../../actions/index.ts';
import { findAskingActor } from './asking-actor.ts';
import { followInvocation } from './invocation-follower.ts';
import { failedNode } from './node-failure.ts';
import type { NodeCall, NodeOutcome } from './node-kind.ts';
import type { NodesDeps } from './nodes.deps.ts';
import { tryAgain } from './retry-rule.ts';
import { waitsForReport } from './waits-for-report.ts';

type Input = Readonly<Record<string, unknown>>;

interface Question {
  readonly operation: Operation;
  readonly path: string;
  readonly body: Input;
  /** The same key asks once. */
  readonly key: string;
}

/** An answer that did not fit its schema. */
export interface Misfit {
  readonly problem: string;
  readonly text: string;
}

/** Asks what a step asks, and lets the answer be followed. */
export async function askModel(deps: NodesDeps, call: NodeCall, caller: Actor, input: Input): Promise<NodeOutcome> {
  try {
    const { status, answered, id } = await send(deps, call, caller, questionOf(call, input));
    if (status >= 300 || id === undefined) return refusedBy(call, status, answered);
    await deps.unitOfWork(caller, ({ enqueue }) => enqueue(followInvocation, { nodeRunId: call.nodeRun.id, id }));
    return { ...waitsForReport(call, { raw: { invocationIdentifier: id } }), externalRunId: id };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failedNode(error.message);
  }
}

/** Asks a second and last time, with what was wrong with the first answer; false if that is refused. */
export async function askAgain(deps: NodesDeps, call: NodeCall, caller: Actor, misfit: Misfit): Promise<boolean> {
  const input = isRecord(call.nodeRun.input) ? call.nodeRun.input : {};
  try {
    const { status, id } = await send(deps, call, caller, questionOf(call, input, misfit));
    if (status >= 300 || id === undefined) return false;
    const next = { nodeRunId: call.nodeRun.id, id, isRepair: true };
    await deps.unitOfWork(caller, ({ enqueue }) => enqueue(followInvocation, next));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const earlierMax = 8_000;
/** What is offered where a step names servers and no tools, as without either. */
const reads = '^(list|get|search|track|describe)_.*';
/** All that is no tool of a connected server. */
const ownTools = '^(?!mcp_).*$';

function questionOf({ node, nodeRun, run, workflow }: NodeCall, input: Input, misfit?: Misfit): Question {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const prompt = text(input['userPrompt']);
  const schema = node.config['outputSchema'];
  const again = misfit
    ? '\n\nYour earlier answer stands in the context, with what was wrong with it. Answer anew.'
    : '';
  const form = schema
    ? `Answer with one JSON object and nothing else, as this JSON schema says: ${text(schema)}${again}`
    : '';
  const servers = serverPatterns(input['mcpServers']);
  const key = misfit ? `${nodeRun.id}:repair` : nodeRun.id;
  const common = {
    executionMode: 'Manual Approval',
    ...(input['provider'] && input['model'] ? { provider: input['provider'], model: input['model'] } : {}),
    ...(misfit ? { context: { earlierAnswer: misfit.text.slice(0, earlierMax), problem: misfit.problem } } : {}),
    labels: {
      source: 'workflow',
      workflow: workflow.identifier,
      _workflow_run_identifier: run.id,
      _workflow_node_run_identifier: nodeRun.id,
    },
  };
  if (node.config.type === 'AI_AGENT') {
    const agent = text(input['agentIdentifier']);
    const path = invokeAgent.path.replace('{agent_identifier}', encodeURIComponent(agent));
    const query = form ? `${prompt}\n\n${form}` : prompt;
    // the agent's own patterns hold besides, so this can only leave servers out
    const tools = servers.length > 0 ? { tools: [ownTools, ...servers] } : {};
    return {
      operation: invokeAgent,
      path: `${path}?stream=true&use_mcp=true`,
      body: { query, ...tools, ...common },
      key,
    };
  }
  const systemPrompt = [input['systemPrompt'], form].filter(Boolean).map(text).join('\n\n');
  const named = Array.isArray(input['tools']) ? input['tools'] : undefined;
  const tools = servers.length > 0 ? [...(named ?? [reads]), ...servers] : named;
  return {
    operation: invokeAssistant,
    path: invokeAssistant.path,
    body: {
      userPrompt: prompt,
      ...(systemPrompt ? { systemPrompt } : {}),
      ...(tools ? { tools } : {}),
      ...common,
    },
    key,
  };
}

/** Patterns for all tools of the servers that a step names. */
function serverPatterns(servers: unknown): string[] {
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((each) => {
    const name = isRecord(each) ? each['identifier'] : each;
    return typeof name === 'string' ? [`^mcp_${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}__.*$`] : [];
  });
}

async function send(deps: NodesDeps, call: NodeCall, caller: Actor, { operation, path, body, key }: Question) {
  const answer = await deps.ownApi.call({
    path,
    method: operation.method,
    operation,
    headers: {
      'user-agent': 'portolan',
      'content-type': 'application/json',
      'idempotency-key': key,
      prefer: 'respond-async',
    },
    body: JSON.stringify(body),
    actor: caller,
    asker: () => findAskingActor(deps, caller, call),
    signal: call.signal,
  });
  const answered = parseJson(answer.body);
  return { status: answer.status, answered, id: readInvocationId(answered) };
}

function refusedBy(call: NodeCall, status: number, answered: unknown): NodeOutcome {
  const { message } = (answered ?? {}) as { readonly message?: unknown };
  const told = `The assistant was not asked: ${typeof message === 'string' ? message : `it answered ${status}`}`;
  const reason = status === 429 ? '429' : status >= 500 ? '5xx' : undefined;
  return (reason && tryAgain(call, reason, told)) ?? failedNode(told);
}
