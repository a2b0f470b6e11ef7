import { timeOfOne } from '../../../../platform/expressions.ts';
import { NodeFailure, succeededNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { evaluateShown, renderShown } from '../render-node.ts';
import { runContext } from '../run-context.ts';

/** Computes its output from what the run knows: by an expression, or a document with templates. */
export function transformKind(deps: Pick<NodesDeps, 'database'>): NodeKind {
  return {
    effect: 'none',
    computes: true,
    async plan(call) {
      const context = await runContext(deps, call);
      const { expression, value } = call.node.config;
      if (typeof expression === 'string') {
        const made = evaluateShown('The expression', expression, context, timeOfOne('workflow', call.now));
        if (made === undefined) throw new NodeFailure('The expression gave nothing');
        return succeededNode(made);
      }
      return succeededNode(renderShown(value ?? null, context, call.now));
    },
  };
}
