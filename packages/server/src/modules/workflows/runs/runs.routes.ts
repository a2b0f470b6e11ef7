import {
  getRerunPlan,
  repeatCompensations as repeatOperation,
  rerunWorkflowRun as rerunOperation,
} from '@portolan/contract/workflow-reruns';
import * as contract from '@portolan/contract/workflow-runs';
import { type RequestInfo, type Route, route } from '../../../platform/http/route.ts';
import { findVersion } from '../definitions/workflow.store.ts';
import { cancelRun } from './cancel-run.ts';
import { listRunLogLines } from './node-run.store.ts';
import { presentNewRun, presentRun, presentSummary } from './present-run.ts';
import { currentNodeRuns, getRun, listRuns, readCursor, writeCursor } from './read-runs.ts';
import { repeatCompensations } from './repeat-compensations.ts';
import { presentPlan } from './rerun/present-plan.ts';
import { mayRerun, readPastRun, rerunWorkflowRun } from './rerun/rerun-run.ts';
import { respondToNode } from './respond-to-node.ts';
import type { RunsDeps } from './runs.deps.ts';
import { startRun } from './start-run.ts';

export function workflowRunRoutes(deps: RunsDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.startWorkflowRun, async ({ params, query, body }, { actor, headers }) => {
      const idempotencyKey = keyIn(headers);
      const started = await startRun(deps, actor, params.identifier, body, { runAs: query.run_as, idempotencyKey });
      const { run, begins } = started;
      return { run: begins ? await presentNewRun(deps, actor, run, begins) : await presentRun(deps, actor, run) };
    }),
    route(contract.listWorkflowRuns, async ({ query }, { actor }) => {
      const { limit, cursor, ...filters } = query;
      const { runs, nextCursor } = await listRuns(database, actor, filters, { limit, cursor });
      const current = await currentNodeRuns(database, actor.orgId, runs);
      const versions = new Map<string, ReturnType<typeof findVersion>>();
      const shown = runs.map(async (run) => {
        const name = `${run.workflowKey}/${run.version}`;
        const version = versions.get(name) ?? findVersion(database, actor.orgId, run.workflowKey, run.version);
        versions.set(name, version);
        return presentSummary(run, current.get(run.id), await version);
      });
      return { runs: await Promise.all(shown), ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
    route(contract.getWorkflowRun, async ({ params, query }, { actor }) => ({
      run: await presentRun(deps, actor, await getRun(database, actor, params.run_id), query.include),
    })),
    route(contract.getWorkflowRunLogs, async ({ params, query }, { actor }) => {
      const run = await getRun(database, actor, params.run_id);
      const after = query.cursor === undefined ? 0 : readCursor(query.cursor);
      const lines = await listRunLogLines(database, actor.orgId, { runId: run.id, after, limit: query.limit });
      const last = lines.length === query.limit ? lines.at(-1) : undefined;
      return {
        logs: lines.map(({ nodeRunId, node, level, message, tags, at }) => ({
          nodeRunIdentifier: nodeRunId,
          nodeIdentifier: node,
          level: level as contract.WorkflowRunLog['level'],
          message,
          tags: (tags ?? null) as contract.WorkflowRunLog['tags'],
          createdAt: at.toISOString(),
        })),
        ...(last ? { nextCursor: writeCursor(last.key) } : {}),
      };
    }),
    route(getRerunPlan, async ({ params, query }, { actor }) => {
      const { from, version = 'same', inputs_change: inputsChange } = query;
      const past = await readPastRun(deps, actor, params.run_id, { from, version, inputsChange });
      return { plan: presentPlan(deps.kinds, past, from, await mayRerun(deps, actor, past)) };
    }),
    route(rerunOperation, async ({ params, body }, { actor, headers }) => {
      const run = await rerunWorkflowRun(deps, actor, params.run_id, body, keyIn(headers));
      return { run: await presentRun(deps, actor, run) };
    }),
    route(repeatOperation, async ({ params, body }, { actor }) => {
      const run = await repeatCompensations(deps, actor, params.run_id, body.nodeRunIdentifiers ?? undefined);
      return { run: await presentRun(deps, actor, run) };
    }),
    route(contract.cancelWorkflowRun, async ({ params, query }, { actor }) => ({
      run: await presentRun(deps, actor, await cancelRun(deps, actor, params.run_id, query.force)),
    })),
    route(contract.respondToNodeRun, async ({ params, body }, { actor }) => {
      const button = body.buttonIdentifier ?? body.button ?? body.outletIdentifier ?? '';
      const run = await respondToNode(deps, actor, params.node_run_id, { button, inputs: body.inputs });
      return { run: await presentRun(deps, actor, run) };
    }),
  ];
}

function keyIn(headers: RequestInfo['headers']): string | undefined {
  const given = headers['idempotency-key'];
  return (Array.isArray(given) ? given[0] : given) || undefined;
}
