import { noBroker, publishSigned } from '../../../actions/index.ts';
import { callKeyFor } from '../call-key.ts';
import { failedNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderSent } from '../render-node.ts';
import { tryAgain } from '../retry-rule.ts';
import { runContext } from '../run-context.ts';
import { waitsForReport } from '../waits-for-report.ts';

/** Puts a signed message on the organization's topic of runs, and waits for a report. */
export function kafkaKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'outside',
    async send(call) {
      const { nodeRun, actor, workflow, run, node, now } = call;
      const context = await runContext(deps, call);
      const { sent, shown } = await renderSent(deps, actor, { payload: node.config['payload'] ?? {} }, context, now);
      const input = { type: 'KAFKA', ...shown };
      if (!deps.broker) return waitsForReport(call, { input, log: [noBroker] });
      const published = await publishSigned(
        deps,
        { id: callKeyFor(nodeRun), actor },
        {
          payload: sent.payload,
          context: {
            runId: nodeRun.id,
            ...(nodeRun.callKey === null ? {} : { idempotencyKey: nodeRun.callKey }),
            workflowRunId: run.id,
            workflowIdentifier: workflow.identifier,
            nodeIdentifier: node.identifier,
            orgId: actor.orgId,
          },
        },
      );
      if (published.kind === 'accepted') return waitsForReport(call, { input, raw: {} });
      const again = tryAgain(call, 'network', published.message);
      return { ...(again ?? failedNode(published.message)), input };
    },
  };
}
