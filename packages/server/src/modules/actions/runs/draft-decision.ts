import type { ApprovalBody, RunDraft } from '@portolan/contract/action-runs';
import { AppError, invalidRequest } from '../../../platform/errors.ts';

/** The facts about a draft, held by locks. */
export interface DraftFacts {
  readonly now: Date;
  /** The current version; undefined if the action is deleted or no longer self-service. */
  readonly actionVersion: number | undefined;
  readonly seenVersion: number | undefined;
  /** What would run, where it is no action. */
  readonly what?: 'workflow';
  /** Whether the requester may still run it. */
  readonly requesterMay: boolean;
  /** True if the proposing agent is active, or there is none. */
  readonly isAgentActive: boolean;
}

/**
 * The reason to refuse a decision on a draft; undefined if it is valid. A decision must name the hash of the draft, and
 * an approval needs all facts of the draft to hold still. In doubt it is refused.
 */
export function refusalOfDecision(
  run: { readonly id: string; readonly draft: RunDraft | null },
  { status, inputsHash }: Pick<ApprovalBody, 'status' | 'inputsHash'>,
  facts: DraftFacts | undefined,
): AppError | undefined {
  const { id, draft } = run;
  if (!draft) return changed(id, 'it has nothing to decide on');
  if (!inputsHash) {
    const message = 'is required for a draft: it says what exactly you decided on';
    return invalidRequest([{ path: '/inputsHash', message }], 'The decision');
  }
  if (inputsHash !== draft.inputsHash) return changed(id, 'its inputs are not the ones you decided on');
  if (status === 'DECLINE') return undefined;
  if (!facts) return changed(id, 'nothing is known of it');
  if (!(new Date(draft.expiresAt) > facts.now)) {
    return new AppError('draft_expired', `The draft "${id}" expired at ${draft.expiresAt}`);
  }
  const { actionVersion, what = 'action' } = facts;
  if (String(actionVersion) !== draft.actionVersion || actionVersion !== facts.seenVersion) {
    return changed(id, `its ${what} was changed or deleted since`);
  }
  if (!facts.requesterMay) return changed(id, `"${draft.requester}" may not run the ${what} any more`);
  if (draft.agent !== undefined && !facts.isAgentActive) {
    return changed(id, `its agent "${draft.agent}" is not active any more`);
  }
  const missing = (draft.missing ?? []).map((key) => ({
    path: `/properties/${key}`,
    message: 'is filled by a person first: change the draft, then decide on its new hash',
  }));
  return missing.length > 0 ? invalidRequest(missing, 'The draft') : undefined;
}

export function changed(id: string, why: string): AppError {
  return new AppError('draft_changed', `The draft "${id}" was not decided: ${why}. Read it again`);
}
