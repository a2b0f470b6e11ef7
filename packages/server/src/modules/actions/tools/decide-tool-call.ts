import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { CallFacts } from '../../../platform/tools/call-decision.ts';
import type { CallingInvocation } from '../../../platform/tools/tool.ts';
import type { DecidedStart, DraftOrigin } from '../runs/start-run.ts';
import { line } from './action-form.ts';

const manually = 'Runs are approved by a person here';
export const needsInputs = 'It needs inputs that no tool may fill';

export interface CallToStart {
  /** Asked for only within an invocation. */
  readonly facts: () => CallFacts;
  /** Whether a person has to fill in inputs first. */
  readonly isOpen: boolean;
}

/**
 * What becomes of a tool call that would run something, an action or a workflow: within an invocation it runs only where
 * the rule for calls lets it, and becomes a draft for a person otherwise. A person's own client runs it with that
 * person's rights.
 * @throws AppError `approval_required` where it may not even become a draft
 */
export async function decideToolCall(
  { actor, invocation }: { readonly actor: Actor; readonly invocation?: CallingInvocation | undefined },
  { facts, isOpen }: CallToStart,
): Promise<DecidedStart> {
  if (!invocation) {
    const reason = actor.origin === 'AI' || actor.origin === 'AUTOMATION' ? manually : undefined;
    if (reason === undefined && !isOpen) return {};
    return { draft: { reason: reason ?? needsInputs } };
  }
  const decision = await invocation.decide(facts());
  const reason = decision.reason ?? manually;
  if (decision.result === 'refuse') throw new AppError('approval_required', reason);
  const waits = decision.result !== 'execute' || isOpen;
  if (waits) return { decision, label: decision.label, draft: toOrigin(invocation, reason) };
  const confirm: DecidedStart['confirm'] = async (tx, run) =>
    decision.standing === undefined || ((await invocation.useStanding?.(tx, decision, run)) ?? false);
  return { decision, label: decision.label, confirm };
}

function toOrigin({ id, agent, question }: CallingInvocation, reason: string): DraftOrigin {
  return {
    invocation: id,
    ...(agent === undefined ? {} : { agent }),
    reason: `${reason}. Asked for: ${line(question, 300)}`,
  };
}
