import type { RunDraft } from '@portolan/contract/action-runs';
import type { CallDecision } from '../../../platform/tools/call-decision.ts';
import type { SavedAuthority } from '../../accounts/index.ts';
import type { StoredWorkflowRun } from '../runs/workflow-run.ts';

/** A run that a call of a tool asked for: one that began at once, or a draft that waits for a person. */
export interface AskedRun
  extends Pick<
    StoredWorkflowRun,
    | 'id'
    | 'workflowKey'
    | 'workflowIdentifier'
    | 'version'
    | 'triggerNode'
    | 'depth'
    | 'causedBy'
    | 'textAuthors'
    | 'createdBy'
    | 'createdByKind'
    | 'createdAt'
  > {
  readonly state: 'DRAFT' | 'STARTED' | 'DECLINED';
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Null where it began at once. */
  readonly draft: RunDraft | null;
  readonly invocation: string | null;
  /** The call within the invocation; the same call asks once. */
  readonly call: string | null;
  readonly decision: CallDecision | null;
  readonly requestedWith: SavedAuthority;
  readonly expiresAt: Date | null;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly comment: string | null;
}
