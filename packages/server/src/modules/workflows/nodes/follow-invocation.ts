import { cancelInvocation } from '@portolan/contract/assistant-operations';
import { isRecord } from '@portolan/contract/json-value';
import { z } from 'zod';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration, Postponed } from '../../../platform/jobs/job.ts';
import { parseJson } from '../../../platform/parse-json.ts';
import { followInvocation as lookAt } from '../../actions/index.ts';
import { askAgain, type Misfit } from './ask-model.ts';
import { findAskingActor } from './asking-actor.ts';
import { invocationFollower } from './invocation-follower.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodeRunPorts, NodeRunReport } from './node-run.ports.ts';
import type { NodesDeps } from './nodes.deps.ts';
import { reportNobody } from './report-nobody.ts';

/** Between two looks. */
const waitMs = 3_000;

/** Ends a node run with the invocation it asked for; the invocation of a step that was cancelled is cancelled. */
export function followInvocationJob(deps: NodesDeps & Pick<NodeRunPorts, 'readCall' | 'report'>): JobDeclaration {
  const job = defineJob({
    ...invocationFollower,
    run: async ({ nodeRunId, id, isRepair }, { orgId, signal }) => {
      const call = await deps.readCall(orgId, nodeRunId, signal);
      if (!call) return reportNobody(deps, orgId, nodeRunId);
      if (call.nodeRun.phase === 'ENDED') return cancelAsked(deps, call, id, signal);
      const reader = { ...systemActor(orgId, call.actor.model), kind: 'machine', runId: call.run.id } as const;
      const seen = await lookAt(deps, reader, { id }, signal);
      if (typeof seen !== 'string' && !seen.end) {
        throw new Postponed(new Date(deps.clock.now().getTime() + waitMs), `the invocation ${id} goes on`);
      }
      const misfit = typeof seen !== 'string' && seen.end?.isGood ? findMisfit(call, seen.end.text ?? '') : undefined;
      const caller: Actor = { ...call.actor, origin: 'AUTOMATION', depth: call.run.depth + 1 };
      if (misfit && !isRepair && (await askAgain(deps, call, caller, misfit))) return;
      const report =
        typeof seen === 'string'
          ? failure(id, seen)
          : seen.end?.isGood
            ? success(id, seen.end.text ?? '', call.node.config['outputSchema'])
            : failure(id, seen.end?.label ?? 'The invocation failed', seen.end?.text);
      await deps.report(reader, nodeRunId, report);
    },
  });
  return job as unknown as JobDeclaration;
}

/** The step has ended without its answer: nobody waits for the rest of it. */
async function cancelAsked(deps: NodesDeps, call: NodeCall, id: string, signal: AbortSignal): Promise<void> {
  if (call.nodeRun.result === 'SUCCESS') return;
  const caller = { ...call.actor, origin: 'AUTOMATION' } as const;
  await deps.ownApi.call({
    path: cancelInvocation.path.replace('{invocation_identifier}', encodeURIComponent(id)),
    method: cancelInvocation.method,
    operation: cancelInvocation,
    headers: { 'user-agent': 'portolan' },
    actor: caller,
    asker: () => findAskingActor(deps, caller, call),
    signal,
  });
}

function findMisfit({ node }: NodeCall, text: string): Misfit | undefined {
  const schema = node.config['outputSchema'];
  const problem = schema ? schemaProblem(text, schema) : undefined;
  return problem === undefined ? undefined : { problem, text };
}

function success(id: string, text: string, schema: unknown): NodeRunReport {
  const problem = schema ? schemaProblem(text, schema) : undefined;
  if (problem) return failure(id, problem, text);
  const response = schema ? bareJson(text) : text;
  return { status: 'COMPLETED', result: 'SUCCESS', output: { response, invocationIdentifier: id, error: null } };
}

function failure(id: string, message: string, text = ''): NodeRunReport {
  const output = { response: text, invocationIdentifier: id, error: { message } };
  return { status: 'COMPLETED', result: 'FAILED', output };
}

/** Models like to put JSON into a fence. */
function bareJson(text: string): string {
  return /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text.trim();
}

function schemaProblem(text: string, schema: unknown): string | undefined {
  const value = parseJson(bareJson(text));
  if (!isRecord(value)) return 'The answer is no JSON object';
  const issue = readSchema(schema)?.safeParse(value).error?.issues[0];
  return issue && `The answer does not fit the schema: ${issue.path.join('.')} ${issue.message}`;
}

/** Undefined for a schema that cannot be checked: then any object fits. */
function readSchema(schema: unknown): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}
