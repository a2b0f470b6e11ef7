import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { runContext } from '../run-context.ts';
import { readLabels } from '../status-label.ts';

/** Ends the whole run here, as the author says. */
export function stopKind(deps: Pick<NodesDeps, 'database'>): NodeKind {
  return {
    effect: 'none',
    computes: true,
    async plan(call) {
      const context = await runContext(deps, call);
      const endsRun = call.node.config['result'] === 'FAILED' ? 'FAILED' : 'SUCCESS';
      const labels = readLabels(call.node.config, context, call.now);
      // the step itself did what it says
      return {
        kind: 'ended',
        result: 'SUCCESS',
        raw: { result: endsRun },
        endsRun,
        ...labels,
        // a label of a step that ends the run is the run's
        ...(labels.statusLabel && !labels.workflowStatusLabel ? { workflowStatusLabel: labels.statusLabel } : {}),
      };
    },
  };
}
