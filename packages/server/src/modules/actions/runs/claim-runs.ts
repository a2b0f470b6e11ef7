import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { ended } from './decide-run.ts';
import { runMissing } from './read-runs.ts';
import { claimRunRows, lockRun, updateRunRow } from './run.store.ts';
import type { StoredRun } from './run.ts';

interface Deps {
  readonly unitOfWork: UnitOfWork;
}

export interface Claim {
  readonly installationId: string;
  readonly limit: number;
  readonly visibilityTimeoutMs: number;
  readonly exclude?: readonly string[] | null | undefined;
}

/**
 * Gives waiting runs of an installation to executors, each to one at a time: an unacknowledged claim expires and the
 * run is offered again (api contract §3.6.6).
 * @throws AppError `missing_permissions`
 */
export function claimRuns({ unitOfWork }: Deps, actor: Actor, claim: Claim): Promise<StoredRun[]> {
  assertExecutor(actor);
  return unitOfWork(actor, async ({ tx, now }) => {
    const until = new Date(now.getTime() + claim.visibilityTimeoutMs);
    const { installationId, limit, exclude } = claim;
    const claimed = await claimRunRows(tx, actor.orgId, { installationId, limit, exclude: exclude ?? [], now, until });
    return claimed.sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime());
  });
}

/** Acknowledges a claim. @throws AppError `not_found`, `run_acknowledged` if it already is, `run_ended` */
export function acknowledgeRun({ unitOfWork }: Deps, actor: Actor, id: string): Promise<void> {
  assertExecutor(actor);
  return unitOfWork(actor, async ({ tx, now }) => {
    const run = await lockRun(tx, actor.orgId, id);
    if (!run || run.installationId === null) throw runMissing(id);
    if (run.acknowledgedAt !== null) {
      throw new AppError('run_acknowledged', `The run "${id}" has been taken by another executor`);
    }
    if (run.status !== 'IN_PROGRESS') throw ended(run);
    await updateRunRow(tx, actor.orgId, { ...run, acknowledgedAt: now, claimedUntil: null });
  });
}

/** Executors are programs with the organization's credentials. */
function assertExecutor(actor: Actor): void {
  if (actor.kind !== 'person' && isAdmin(actor)) return;
  throw new AppError('missing_permissions', 'Runs are claimed with the credentials of the organization');
}
