import { shareTime } from '../../../../platform/evaluation-time.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { evaluateShown } from '../render-node.ts';
import { runContext } from '../run-context.ts';
import { readLabels } from '../status-label.ts';

/** For the expressions of all outlets together. */
const outletsMs = 500;

interface Outlet {
  readonly identifier: string;
  readonly title?: string | null;
  readonly expression: string;
  readonly statusLabel?: unknown;
  readonly workflowStatusLabel?: unknown;
}

/** The first outlet, in the author's order, whose expression is `true`; none is no error. */
export function conditionKind(deps: Pick<NodesDeps, 'database'>): NodeKind {
  return {
    effect: 'none',
    computes: true,
    async plan(call) {
      const context = await runContext(deps, call);
      const time = shareTime(call.now, outletsMs);
      for (const outlet of (call.node.config['outlets'] ?? []) as readonly Outlet[]) {
        const place = `The condition "${outlet.title || outlet.identifier}"`;
        const expression = withoutBraces(outlet.expression);
        if (evaluateShown(place, expression, context, time) !== true) continue;
        const labels = readLabels(outlet, context, call.now);
        return {
          kind: 'ended',
          result: 'SUCCESS',
          raw: { selectedOutlet: { identifier: outlet.identifier } },
          outlet: outlet.identifier,
          ...labels,
        };
      }
      return { kind: 'ended', result: 'SUCCESS', raw: { selectedOutlet: null }, outlet: null };
    },
  };
}

/** An expression may be written as one template. */
function withoutBraces(expression: string): string {
  return /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(expression)?.[1] ?? expression;
}
