import { toRecord } from '@portolan/contract/json-value';
import { type ChildKindsDeps, findBody, triggerOfBody } from '../begin-child.ts';
import { failureOfChild, inWindow, type NewChild } from '../child-runs.ts';
import { succeededNode } from '../node-failure.ts';
import type { NodeCall, NodeKind } from '../node-kind.ts';

/** A run of each branch at once; its output is theirs by name. */
export function parallelKind(_deps: ChildKindsDeps): NodeKind {
  return {
    effect: 'children',
    async begin(call) {
      const runs = branchesOf(call).flatMap((branch, index): NewChild[] => {
        const body = findBody(call, branch);
        return body ? [{ ...triggerOfBody(call, body), trigger: { branch, index }, index }] : [];
      });
      return { kind: 'children', runs, atOnce: runs.length };
    },
    async count(call, children) {
      const { all } = children;
      const branches = branchesOf(call);
      if (all.some(({ isEnded }) => !isEnded)) return { kind: 'goes-on', sendOn: inWindow(all, all.length) };
      const given = await children.readOutputs();
      const outputs = Object.fromEntries(all.map(({ index }) => [branches[index] ?? index, given.get(index) ?? null]));
      const failed = all.find(({ result }) => result !== 'SUCCESS');
      if (!failed) return succeededNode(outputs);
      const message = failureOfChild(`The branch "${branches[failed.index]}" (${failed.id})`, failed);
      return { kind: 'ended', result: 'FAILED', message, raw: { error: { message }, branches: outputs } };
    },
  };
}

function branchesOf({ node }: NodeCall): readonly string[] {
  return Object.keys(toRecord(node.config['branches']));
}
