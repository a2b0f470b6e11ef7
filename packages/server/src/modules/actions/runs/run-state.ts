import type { RunStatus } from '@portolan/contract/action-runs';

export type RunEvent = 'approve' | 'decline' | 'expire' | 'withdraw' | 'succeed' | 'fail';

/** A draft waits for a person, whatever approval the action requires. */
export function firstStatus({ isDraft, needsApproval }: { isDraft: boolean; needsApproval: boolean }): RunStatus {
  if (isDraft) return 'DRAFT';
  return needsApproval ? 'WAITING_FOR_APPROVAL' : 'IN_PROGRESS';
}

/**
 * The status after an event; undefined if the event does not apply. Two gates precede `IN_PROGRESS`, the draft's and
 * the action's, and neither skips the other; final states stay (compatibility choices, Drafts).
 */
export function nextStatus(
  status: RunStatus,
  event: RunEvent,
  { needsApproval }: { readonly needsApproval: boolean },
): RunStatus | undefined {
  switch (status) {
    case 'DRAFT':
      if (event === 'approve') return needsApproval ? 'WAITING_FOR_APPROVAL' : 'IN_PROGRESS';
      return event === 'decline' || event === 'expire' ? 'DECLINED' : undefined;
    case 'WAITING_FOR_APPROVAL':
      if (event === 'approve') return 'IN_PROGRESS';
      if (event === 'decline') return 'DECLINED';
      return event === 'withdraw' ? 'FAILURE' : undefined;
    case 'IN_PROGRESS':
      if (event === 'succeed') return 'SUCCESS';
      return event === 'fail' ? 'FAILURE' : undefined;
    default:
      return undefined;
  }
}

export function isFinal(status: RunStatus): boolean {
  return status === 'SUCCESS' || status === 'FAILURE' || status === 'DECLINED';
}
