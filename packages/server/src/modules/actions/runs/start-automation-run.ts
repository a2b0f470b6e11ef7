import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { StoredAction } from '../action.ts';
import { type DispatchJob, storeNewRun } from './enter-run.ts';
import { insertRunLog, type RunOrigin } from './run.store.ts';
import type { StoredRun } from './run.ts';

export interface Occasion {
  /** For templates. */
  readonly event: unknown;
  readonly blueprint: string | null;
  readonly entity: string | null;
}

/** The origin of an automation's run, and the reason if it must not be executed. */
export interface AutomationStart extends RunOrigin {
  readonly stoppedBecause?: string | undefined;
}

/**
 * Stores and dispatches a run of an automation, in the caller's transaction. A stopped run is stored with its reason
 * and never executed.
 */
export async function storeAutomationRun(
  work: Work,
  dispatch: DispatchJob,
  automation: StoredAction,
  occasion: Occasion,
  { stoppedBecause, ...origin }: AutomationStart,
): Promise<StoredRun> {
  const { tx, actor, now } = work;
  const made = automationRun(automation, occasion, { id: newId('r_'), by: actor.id, at: now });
  const run: StoredRun =
    stoppedBecause === undefined
      ? made
      : { ...made, status: 'FAILURE', statusLabel: stoppedBecause.slice(0, 300), endedAt: now };
  await storeNewRun(work, dispatch, run, origin);
  if (stoppedBecause !== undefined) {
    const log = { id: newId('log_'), runId: run.id, message: stoppedBecause, createdBy: actor.id, createdAt: now };
    await insertRunLog(tx, actor.orgId, log);
  }
  return run;
}

/** A run of an automation: requested by the organization, without a check of rights or an approval. */
export function automationRun(
  automation: StoredAction,
  { event, blueprint, entity }: Occasion,
  { id, by, at }: { readonly id: string; readonly by: string; readonly at: Date },
): StoredRun {
  const { invocationMethod } = automation.definition;
  return {
    id,
    status: 'IN_PROGRESS',
    statusLabel: null,
    actionKey: automation.key,
    actionIdentifier: automation.identifier,
    action: { id: automation.id, version: automation.version, definition: automation.definition },
    authority: automation.authority,
    requestedWith: null,
    editedBy: [],
    blueprint,
    entity,
    properties: {},
    source: 'AUTOMATION',
    link: [],
    summary: null,
    externalRunId: null,
    payload: null,
    response: null,
    draft: null,
    invocation: null,
    decision: null,
    requiredApproval: null,
    event,
    installationId: invocationMethod.type === 'INTEGRATION_ACTION' ? invocationMethod.installationId : null,
    claimedUntil: null,
    acknowledgedAt: null,
    dispatchedAt: null,
    depth: 0,
    followed: null,
    createdBy: by,
    createdByKind: 'system',
    impersonatedBy: null,
    updatedBy: by,
    createdAt: at,
    updatedAt: at,
    endedAt: null,
  };
}
