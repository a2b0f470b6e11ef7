import type { DeleteGuard } from '@portolan/contract/delete-guards';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { lockIntegration, updateIntegrationRow } from '../integration.store.ts';
import type { StoredIntegration } from '../integration.ts';
import { getIntegration, integrationMissing } from '../read-integrations.ts';
import { type NotifyJob, requestResync } from '../sync/request-resync.ts';
import { deleteGuard, findGuard, lockGuard, putGuard, type StoredGuard, updateGuard } from './delete-guard.store.ts';

interface Deps {
  readonly unitOfWork: UnitOfWork;
  readonly tell: NotifyJob;
}

const liftMs = 24 * 3_600_000;

/** @throws AppError `missing_permissions`, `not_found` (the integration) */
export async function readDeleteGuard(database: Database, actor: Actor, identifier: string): Promise<DeleteGuard> {
  const { key } = await getIntegration(database, actor, identifier);
  return present(await findGuard(database, actor.orgId, key));
}

/** Sets the share of its entities (0 to 1) that an integration may delete in one resync; null removes the guard. */
export function changeDeleteGuard(
  { unitOfWork }: Deps,
  actor: Actor,
  identifier: string,
  threshold: number | null,
): Promise<DeleteGuard> {
  return unitOfWork(actor, async (work) => {
    const integration = await held(work, identifier);
    const before = await lockGuard(work.tx, actor.orgId, integration.key);
    if (threshold === null) await deleteGuard(work.tx, actor.orgId, integration.key);
    else if (before?.threshold !== threshold) await putGuard(work.tx, actor.orgId, integration.key, threshold);
    const after = await findGuard(work.tx, actor.orgId, integration.key);
    if (before?.threshold !== after?.threshold) {
      const names = { before: { threshold: before?.threshold ?? null }, after: { threshold } };
      note(work, integration, 'integration.guard-changed', 'The share that may be deleted was changed', names);
    }
    return present(after);
  });
}

/** Allows a stopped deletion, or dismisses its question. @throws AppError `not_found` if the question is not pending */
export function decideDeletion(
  { unitOfWork, tell }: Deps,
  actor: Actor,
  identifier: string,
  { questionId, decision }: { readonly questionId: string; readonly decision: 'confirm' | 'decline' },
): Promise<DeleteGuard> {
  return unitOfWork(actor, async (work) => {
    const integration = await held(work, identifier);
    const guard = await lockGuard(work.tx, actor.orgId, integration.key);
    if (!guard?.question || guard.question.id !== questionId) throw notFound('Question', questionId);
    const isConfirmed = decision === 'confirm';
    const liftedUntil = isConfirmed ? new Date(work.now.getTime() + liftMs) : guard.liftedUntil;
    const after = { ...guard, question: null, liftedUntil };
    await updateGuard(work.tx, actor.orgId, integration.key, after);
    if (isConfirmed) {
      await updateIntegrationRow(work.tx, actor.orgId, await requestResync(work, tell, integration));
    }
    const message = isConfirmed ? 'The deletion was confirmed' : 'The deletion was declined';
    note(work, integration, 'integration.deletion-decided', message, { before: guard.question });
    return present(after);
  });
}

async function held({ tx, actor }: Work, identifier: string): Promise<StoredIntegration> {
  const integration = await lockIntegration(tx, actor.orgId, identifier);
  if (!integration) throw integrationMissing(identifier);
  return integration;
}

function note(
  work: Work,
  { installationId }: StoredIntegration,
  event: string,
  message: string,
  values: { readonly before?: unknown; readonly after?: unknown },
): void {
  const context = { installationId };
  work.record({
    event,
    action: 'OTHER',
    resourceType: 'integration',
    identifier: installationId,
    context,
    message,
    ...values,
  });
}

function present(guard: StoredGuard | undefined): DeleteGuard {
  return {
    threshold: guard?.threshold ?? null,
    question: guard?.question ?? null,
    liftedUntil: guard?.liftedUntil?.toISOString() ?? null,
  };
}
