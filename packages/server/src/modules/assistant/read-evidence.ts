import * as actionRuns from '@portolan/contract/action-runs';
import * as audit from '@portolan/contract/audit';
import type * as contract from '@portolan/contract/invocation-answers';
import type * as invocationStream from '@portolan/contract/invocation-stream';
import type { Operation } from '@portolan/contract/operation';
import { requiredScope, scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../platform/actor.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { type Egress, listEgress } from './calls/egress.store.ts';
import { type NumberedEvent, readEventsAfter } from './event.store.ts';
import { readInvocation, toSummary } from './read-invocation.ts';

/**
 * The chain from a question to its effects: tool calls, what went to other servers, action runs, approvals, entities, audit records. Each part
 * shows only what the caller may read elsewhere.
 * @throws AppError `not_found`
 */
export async function readEvidence(
  deps: AssistantDeps,
  actor: Actor,
  id: string,
): Promise<contract.InvocationEvidence> {
  const invocation = await readInvocation(deps, actor, id);
  const calls = collectToolCalls(await readEventsAfter(deps.database, actor.orgId, invocation.id, 0));
  const readsRuns = mayAsk(actor, actionRuns.getRun);
  const readsAudits = mayAsk(actor, audit.getAuditLog);
  const runs: contract.RunEvidence[] = [];
  for (const each of readsRuns ? await deps.effects.evidenceOf(actor, invocation.id) : []) {
    runs.push({ ...each, audits: readsAudits ? await deps.effects.recordsOf(actor, each.run.id) : [] });
  }
  const runOf = new Map(runs.map(({ run }) => [run.invocation?.toolCall, run.id]));
  return {
    invocation: toSummary(invocation),
    toolCalls: calls.map((call) => {
      const runId = runOf.get(call.id);
      return { ...call, ...(runId === undefined ? {} : { runId }) };
    }),
    egress: (await listEgress(deps.database, actor.orgId, invocation.id)).map(presentEgress),
    runs,
  };
}

function presentEgress({ callId, server, tool, rule, isObserved, arguments: sent, sentAt }: Egress) {
  const args = sent.map(({ origin, ...each }) => {
    const { authors, ...from } = origin;
    return { ...each, origin: { ...from, ...(authors ? { authors: [...authors] } : {}) } };
  });
  return { call: callId, server, tool, rule, observed: isObserved, arguments: args, at: sentAt.toISOString() };
}

/** Action runs for a short list; none for a token that may not read actions. */
export async function runsShown(deps: AssistantDeps, actor: Actor, id: string): Promise<contract.InvocationRun[]> {
  return mayAsk(actor, actionRuns.getRun) ? [...(await deps.effects.listRuns(actor, id))] : [];
}

function mayAsk(actor: Actor, operation: Operation): boolean {
  const scope = requiredScope(operation);
  return scope === null || scopesCover(actor.scopes, scope);
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result?: string;
  readonly isError?: boolean;
}

/** Joins calls and results from the chunks of the stream. */
export function collectToolCalls(events: readonly NumberedEvent[]): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const { event, data } of events) {
    if (event === 'tool_call') {
      const { id, name, arguments: piece } = data as invocationStream.InvocationEvents['tool_call'];
      const call = calls.get(id) ?? { id, name: name ?? '', arguments: '' };
      calls.set(id, { ...call, arguments: call.arguments + piece });
    } else if (event === 'tool_result') {
      const { id, content, isError } = data as invocationStream.InvocationEvents['tool_result'];
      const call = calls.get(id);
      if (call) calls.set(id, { ...call, result: (call.result ?? '') + content, ...(isError ? { isError } : {}) });
    }
  }
  return [...calls.values()];
}
