import { createGraph } from '../definitions/graph.ts';
import type { NodeRunPorts } from '../nodes/node-run.ports.ts';
import { findNodeRun } from './node-run.store.ts';
import { presentNodeRun } from './present-run.ts';
import { getNodeRun } from './read-runs.ts';
import { reportNode } from './report-node.ts';
import { findWorkflowRun } from './run.store.ts';
import type { RunsDeps } from './runs.deps.ts';
import { buildCall, versionOfRun } from './snapshot.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/** What programs that carry out node runs need of runs. */
export function nodeRunPorts(deps: RunsDeps): NodeRunPorts {
  const { database } = deps;
  return {
    readCall: async (orgId, nodeRunId, signal = new AbortController().signal) => {
      const nodeRun = await findNodeRun(database, orgId, nodeRunId);
      const run = nodeRun && (await findWorkflowRun(database, orgId, nodeRun.runId));
      if (!run) return undefined;
      const workflow = await versionOfRun(database, orgId, run);
      const node = workflow && createGraph(workflow.definition).node(nodeRun.node);
      if (!workflow || !node) return undefined;
      const call = await buildCall(deps, { orgId, run, nodeRun, workflow, node, signal });
      return 'problem' in call ? undefined : call;
    },
    report: (actor, nodeRunId, report) => reportNode(deps, actor, nodeRunId, report),
    find: (actor, nodeRunId) => getNodeRun(database, actor, nodeRunId),
    present: async (actor, nodeRun) => {
      const run = (await findWorkflowRun(database, actor.orgId, nodeRun.runId)) as StoredWorkflowRun;
      return presentNodeRun(deps, actor, run, nodeRun);
    },
  };
}
