import type { ReportRunBody, RunLogBody } from '@portolan/contract/action-runs';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { ended } from './decide-run.ts';
import { type DispatchJob, storeChangedRun } from './enter-run.ts';
import { withSecretsOfRun } from './open-run-secrets.ts';
import { runMissing } from './read-runs.ts';
import { insertRunLog, lockRun, type StoredRunLog } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { isFinal, nextStatus } from './run-state.ts';

interface Deps extends Pick<ActionsDeps, 'database' | 'secrets' | 'unitOfWork'> {
  readonly dispatch: DispatchJob;
}

/**
 * Stores an executor's report. The requester can withdraw a waiting run with `FAILURE`; a final status stays.
 * @throws AppError `not_found`, `missing_permissions`, `run_ended`
 */
export async function reportRun(deps: Deps, caller: Actor, id: string, body: ReportRunBody): Promise<StoredRun> {
  const actor = await withSecretsOfRun(deps, caller, id);
  return deps.unitOfWork(actor, async (work) => {
    const run = await reportable(work, id);
    const { status, statusLabel, link, summary, externalRunId } = body;
    const entered = status ? afterReport(run, status) : undefined;
    if (isFinal(run.status)) throw ended(run);
    return storeChangedRun(work, deps.dispatch, run, {
      ...(entered ? { status: entered } : {}),
      ...(statusLabel === null || statusLabel === undefined ? {} : { statusLabel }),
      ...(link === null || link === undefined ? {} : { link: [link].flat() }),
      ...(summary === null || summary === undefined ? {} : { summary }),
      ...(externalRunId === null || externalRunId === undefined ? {} : { externalRunId }),
    });
  });
}

/** Adds a line to the log; `terminationStatus` ends the run. @throws AppError as `reportRun` */
export async function addRunLog(deps: Deps, caller: Actor, id: string, body: RunLogBody): Promise<StoredRunLog> {
  const actor = await withSecretsOfRun(deps, caller, id);
  return deps.unitOfWork(actor, async (work) => {
    const run = await reportable(work, id);
    if (isFinal(run.status)) throw ended(run);
    const message = actor.opened?.maskText(body.message) ?? body.message;
    const log = { id: newId('log_'), runId: id, message, createdBy: actor.id, createdAt: work.now };
    await insertRunLog(work.tx, actor.orgId, log);
    const { terminationStatus, statusLabel } = body;
    if (terminationStatus || statusLabel) {
      await storeChangedRun(work, deps.dispatch, run, {
        ...(terminationStatus ? { status: afterReport(run, terminationStatus) } : {}),
        ...(statusLabel ? { statusLabel } : {}),
      });
    }
    return log;
  });
}

/** Stores the backend's answer, even after the end of the run. @throws AppError `not_found`, `missing_permissions` */
export async function addRunResponse(deps: Deps, caller: Actor, id: string, response: unknown): Promise<StoredRun> {
  const actor = await withSecretsOfRun(deps, caller, id);
  return deps.unitOfWork(actor, async (work) => {
    const run = await reportable(work, id);
    return storeChangedRun(work, deps.dispatch, run, { response: [...(run.response ?? []), response] });
  });
}

/**
 * Locks the run for executors, administrators and the requester, who may report.
 * @throws AppError `not_found`, `missing_permissions`
 */
async function reportable({ tx, actor }: Work, id: string): Promise<StoredRun> {
  const run = await lockRun(tx, actor.orgId, id);
  if (!run) throw runMissing(id);
  if (isAdmin(actor) || actor.kind !== 'person' || run.createdBy === actor.id) return run;
  throw new AppError('missing_permissions', `Only whoever asked for the run "${id}" or executes it reports on it`);
}

function afterReport(run: StoredRun, status: 'SUCCESS' | 'FAILURE') {
  const isWaiting = run.status === 'WAITING_FOR_APPROVAL';
  const event = status === 'SUCCESS' ? 'succeed' : isWaiting ? 'withdraw' : 'fail';
  const entered = nextStatus(run.status, event, { needsApproval: run.requiredApproval !== null });
  if (!entered) throw ended(run);
  return entered;
}
