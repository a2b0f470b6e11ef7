import { JqError, type JqValue } from '@portolan/jq';
import { firstOutput, timeOfOne } from '../../../../platform/expressions.ts';
import { type ChildKindsDeps, findBody, triggerOfBody } from '../begin-child.ts';
import { failureOfChild, type NewChild } from '../child-runs.ts';
import { NodeFailure, succeededNode } from '../node-failure.ts';
import type { NodeCall, NodeKind } from '../node-kind.ts';

const roundsStandard = 10;

/** Runs its body again and again, until what a round gave is what was waited for. */
export function repeatKind(_deps: ChildKindsDeps): NodeKind {
  return {
    effect: 'children',
    begin: async (call) => ({ kind: 'children', runs: [roundOf(call, 0, null)], atOnce: 1 }),
    async count(call, children) {
      const last = children.all.at(-1);
      if (!last) throw new NodeFailure('Its first round is gone');
      if (!last.isEnded) return { kind: 'goes-on', sendOn: [last] };
      const rounds = last.index + 1;
      const output = (await children.readOutputs()).get(last.index) ?? null;
      const failed = (message: string) =>
        ({ kind: 'ended', result: 'FAILED', message, raw: { error: { message }, rounds, output } }) as const;
      if (last.result !== 'SUCCESS') return failed(failureOfChild(`Round ${rounds} (${last.id})`, last));
      if (isDone(call, output)) return succeededNode({ rounds, output });
      const { maxRounds, delaySeconds } = call.node.config;
      const max = typeof maxRounds === 'number' ? maxRounds : roundsStandard;
      if (rounds >= max) return failed(`"until" was not true after ${max} ${max === 1 ? 'round' : 'rounds'}`);
      const delayMs = typeof delaySeconds === 'number' ? delaySeconds * 1_000 : 0;
      const dueAt = new Date((last.endedAt ?? call.now).getTime() + delayMs);
      if (call.now < dueAt) return { kind: 'goes-on', dueAt };
      return { kind: 'goes-on', begins: roundOf(call, rounds, output) };
    },
  };
}

function roundOf(call: NodeCall, index: number, previous: unknown): NewChild {
  const body = findBody(call);
  if (!body) throw new NodeFailure('It has no body');
  return { ...triggerOfBody(call, body), trigger: { round: index + 1, index, previous }, index };
}

/** @throws NodeFailure for an expression that fails on this output */
function isDone({ node, now }: NodeCall, output: unknown): boolean {
  try {
    const until = String(node.config['until']);
    return firstOutput('workflow', until, output as JqValue, timeOfOne('workflow', now)) === true;
  } catch (error) {
    if (error instanceof JqError) throw new NodeFailure(`"until" failed: ${error.message}`);
    throw error;
  }
}
