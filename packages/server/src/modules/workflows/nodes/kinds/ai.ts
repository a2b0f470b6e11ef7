import { invokeAgent, invokeAssistant } from '@portolan/contract/assistant-operations';
import type { Operation } from '@portolan/contract/operation';
import type { Actor } from '../../../../platform/actor.ts';
import { AppError } from '../../../../platform/errors.ts';
import { parseJson } from '../../../../platform/parse-json.ts';
import { readInvocationId } from '../../../actions/index.ts';
import { limits } from '../../definitions/limits.ts';
import { findAskingActor } from '../asking-actor.ts';
import { followInvocation } from '../follow-invocation.ts';
import { failedNode, NodeFailure } from '../node-failure.ts';
import type { NodeCall, NodeKind, NodeOutcome } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { tryAgain } from '../retry-rule.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';
import { waitsForReport } from '../waits-for-report.ts';

interface Question {
  readonly operation: Operation;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Asks the assistant or an agent, as whoever started the run, and waits for the answer. What a model does here fails
 * closed: its action tools make drafts, and without `tools` it only reads. Prompts hold no secrets and no encrypted
 * inputs. The same node run never asks twice.
 */
export function aiKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'outside',
    async send(call) {
      const { actor, run, now } = call;
      if (run.depth >= limits.depth) {
        throw new NodeFailure(`${run.depth} runs have started one another up to this one; it is taken for a loop`);
      }
      const context = withoutEncrypted(await runContext(deps, call), call);
      const { userPrompt, systemPrompt, tools, agentIdentifier } = call.node.config;
      const input = renderShown(
        {
          userPrompt,
          ...(systemPrompt ? { systemPrompt } : {}),
          ...(tools ? { tools } : {}),
          ...(agentIdentifier === undefined ? {} : { agentIdentifier }),
        },
        context,
        now,
      ) as Readonly<Record<string, unknown>>;
      const caller: Actor = { ...actor, origin: 'AUTOMATION', depth: run.depth + 1 };
      return { ...(await ask(deps, call, caller, questionOf(call, input))), input };
    },
  };
}

function questionOf({ node, nodeRun, run, workflow }: NodeCall, input: Readonly<Record<string, unknown>>): Question {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const prompt = text(input['userPrompt']);
  const schema = node.config['outputSchema'];
  const form = schema ? `Answer with one JSON object and nothing else, as this JSON schema says: ${text(schema)}` : '';
  const common = {
    executionMode: 'Manual Approval',
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
    return { operation: invokeAgent, path: `${path}?stream=true&use_mcp=true`, body: { query, ...common } };
  }
  const systemPrompt = [input['systemPrompt'], form].filter(Boolean).map(text).join('\n\n');
  return {
    operation: invokeAssistant,
    path: invokeAssistant.path,
    body: {
      userPrompt: prompt,
      ...(systemPrompt ? { systemPrompt } : {}),
      ...(input['tools'] ? { tools: input['tools'] } : {}),
      ...common,
    },
  };
}

async function ask(
  deps: NodesDeps,
  call: NodeCall,
  caller: Actor,
  { operation, path, body }: Question,
): Promise<NodeOutcome> {
  try {
    const answer = await deps.ownApi.call({
      path,
      method: operation.method,
      operation,
      headers: {
        'user-agent': 'portolan',
        'content-type': 'application/json',
        'idempotency-key': call.nodeRun.id,
        prefer: 'respond-async',
      },
      body: JSON.stringify(body),
      actor: caller,
      asker: () => findAskingActor(deps, caller, call),
      signal: call.signal,
    });
    const answered = parseJson(answer.body);
    const id = readInvocationId(answered);
    if (answer.status >= 300 || id === undefined) return refusedBy(call, answer.status, answered);
    await deps.unitOfWork(caller, ({ enqueue }) => enqueue(followInvocation, { nodeRunId: call.nodeRun.id, id }));
    return { ...waitsForReport(call, { raw: { invocationIdentifier: id } }), externalRunId: id };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failedNode(error.message);
  }
}

function refusedBy(call: NodeCall, status: number, answered: unknown): NodeOutcome {
  const { message } = (answered ?? {}) as { readonly message?: unknown };
  const told = `The assistant was not asked: ${typeof message === 'string' ? message : `it answered ${status}`}`;
  const reason = status === 429 ? '429' : status >= 500 ? '5xx' : undefined;
  return (reason && tryAgain(call, reason, told)) ?? failedNode(told);
}
