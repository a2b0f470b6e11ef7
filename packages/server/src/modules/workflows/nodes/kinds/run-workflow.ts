import { toRecord } from '@portolan/contract/json-value';
import { type ChildKindsDeps, callOther } from '../begin-child.ts';
import { failureOfChild, inWindow } from '../child-runs.ts';
import { succeededNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import { renderShown } from '../render-node.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';

/** A run of another workflow; its output is that of its last step, and how it ended. */
export function runWorkflowKind(deps: ChildKindsDeps): NodeKind {
  return {
    effect: 'children',
    async begin(call) {
      const context = withoutEncrypted(await runContext(deps, call), call);
      const { workflowIdentifier, inputs, nodeIdentifier, version } = call.node.config;
      const input = toRecord(renderShown({ workflowIdentifier, inputs: inputs ?? {} }, context, call.now));
      const child = await callOther(deps, call, { ...input, nodeIdentifier, version });
      return { kind: 'children', runs: [{ ...child, index: 0 }], atOnce: 1, input };
    },
    async count(_call, children) {
      const [child] = children.all;
      if (!child?.isEnded) return { kind: 'goes-on', sendOn: inWindow(children.all, 1) };
      const output = (await children.readOutputs()).get(0) ?? null;
      const raw = { result: child.result, output, workflowRunIdentifier: child.id };
      if (child.result === 'SUCCESS') return succeededNode(raw);
      const message = failureOfChild(`The run ${child.id}`, child);
      return { kind: 'ended', result: 'FAILED', message, raw: { error: { message }, ...raw } };
    },
  };
}
