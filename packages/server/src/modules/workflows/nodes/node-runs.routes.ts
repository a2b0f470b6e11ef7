import * as contract from '@portolan/contract/workflow-node-runs';
import type { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import { acknowledgeNodeRun, claimNodeRuns, type NodeRunDeps } from './claim-node-runs.ts';
import { addNodeRunLogs, findNodeRuns, getNodeRunLogs, reportNodeRun } from './report-node-run.ts';

/** What programs that execute node runs call: Ocean, the agent, and whoever was sent a message. */
export function nodeRunRoutes(deps: NodeRunDeps): Route[] {
  return [
    route(contract.claimNodeRuns, async ({ body }, { actor }) => ({
      nodeRuns: await claimNodeRuns(deps, actor, body),
    })),
    route(contract.acknowledgeNodeRun, async ({ body }, { actor }) => {
      await acknowledgeNodeRun(deps, actor, body.nodeRunIdentifier);
      return { acked: true as const };
    }),
    route(contract.listNodeRuns, async ({ query }, { actor }) => ({
      nodeRuns: await findNodeRuns(deps, actor, query.external_run_id, query.include?.includes('nodeConfig') ?? false),
    })),
    route(contract.reportNodeRun, async ({ params, body }, { actor }) => ({
      run: await deps.present(actor, await reportNodeRun(deps, actor, params.node_run_id, body)),
    })),
    route(contract.addNodeRunLogs, async ({ params, body }, { actor }) => ({
      logs: (await addNodeRunLogs(deps, actor, params.node_run_id, body.logs)).map(presentLine),
    })),
    route(contract.getNodeRunLogs, async ({ params }, { actor }) => ({
      logs: (await getNodeRunLogs(deps, actor, params.node_run_id)).map(presentLine),
    })),
  ];
}

type PresentedLine = z.input<(typeof contract.getNodeRunLogs)['answer']>['logs'][number];

interface StoredLine {
  readonly level: string;
  readonly message: string;
  readonly tags?: unknown;
  readonly at: Date;
}

function presentLine({ level, message, tags, at }: StoredLine): PresentedLine {
  return {
    level: level as PresentedLine['level'],
    message,
    tags: (tags ?? null) as PresentedLine['tags'],
    createdAt: at.toISOString(),
  };
}
