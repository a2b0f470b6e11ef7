import type { DeletionQuestion } from '@portolan/contract/delete-guards';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { countByDatasource } from '../../search/index.ts';
import { findIntegration } from '../integration.store.ts';
import type { StoredIntegration } from '../integration.ts';
import { lockGuard, type StoredGuard, updateGuard } from './delete-guard.store.ts';
import { parseDatasource } from './parse-datasource.ts';

/** Some clients never report the start of a resync; their count restarts after this time. */
const windowMs = 6 * 3_600_000;

/**
 * Refuses a deletion that would take an integration above the share of its entities that it may delete in one resync.
 * Returns the refusal instead of throwing it, so that this transaction commits the question. Integrations without a
 * guard, people and other machines pass.
 */
export async function guardDeletions(work: Work, deletionCount: number): Promise<AppError | undefined> {
  const { tx, actor } = work;
  const source = parseDatasource(actor.datasource);
  if (!source) return undefined;
  const integration = await findIntegration(tx, actor.orgId, source.installationId);
  if (!integration) return undefined;
  const stored = await lockGuard(tx, actor.orgId, integration.key);
  if (!stored) return undefined;
  const guard = isOver(stored, integration, work.now) ? await begin(work, stored, source) : stored;
  const isLifted = guard.liftedUntil !== null && guard.liftedUntil > work.now;
  const deleted = guard.entitiesDeleted + deletionCount;
  if (isLifted || deleted <= guard.threshold * guard.entitiesBefore) {
    await updateGuard(tx, actor.orgId, integration.key, { ...guard, entitiesDeleted: deleted });
    return undefined;
  }
  const question = toQuestion(work, guard, deletionCount);
  await updateGuard(tx, actor.orgId, integration.key, { ...guard, question });
  if (!guard.question) recordQuestion(work, integration, question);
  return refusal(integration, guard, question);
}

/** True if the counts belong to a resync that has ended. */
function isOver({ beganAt }: StoredGuard, { resyncState }: StoredIntegration, now: Date): boolean {
  if (!beganAt || now.getTime() - beganAt.getTime() > windowMs) return true;
  const { lastResyncStart, updatedAt, status } = resyncState ?? {};
  const start = new Date(String(lastResyncStart ?? updatedAt));
  return status === 'running' && start > beganAt;
}

async function begin(
  { tx, actor, now }: Work,
  guard: StoredGuard,
  { prefix, suffix }: { readonly prefix: string; readonly suffix: string },
): Promise<StoredGuard> {
  const entitiesBefore = await countByDatasource(tx, actor.orgId, prefix, suffix);
  return { ...guard, beganAt: now, entitiesBefore, entitiesDeleted: 0 };
}

/** A pending question keeps its id and time, and gets the current figures. */
function toQuestion({ actor, now }: Work, guard: StoredGuard, refused: number): DeletionQuestion {
  return {
    id: guard.question?.id ?? newId('question_'),
    askedAt: guard.question?.askedAt ?? now.toISOString(),
    entitiesBefore: guard.entitiesBefore,
    entitiesDeleted: guard.entitiesDeleted,
    refused,
    datasource: actor.datasource,
  };
}

function recordQuestion(work: Work, { installationId }: StoredIntegration, question: DeletionQuestion): void {
  work.record({
    event: 'integration.deletion-stopped',
    action: 'OTHER',
    resourceType: 'integration',
    identifier: installationId,
    context: { installationId },
    message: 'A resync would delete more than the guard allows',
    after: question,
  });
}

function refusal({ installationId }: StoredIntegration, guard: StoredGuard, question: DeletionQuestion): AppError {
  const share = Math.round(guard.threshold * 1000) / 10;
  const message =
    `The integration "${installationId}" would delete ${question.entitiesDeleted + question.refused} of ` +
    `${question.entitiesBefore} entities in one resync and may delete ${share} %. Nothing of this request was deleted; ` +
    `an administrator decides over POST /v1/integration/${encodeURIComponent(installationId)}/delete-guard/decision`;
  return new AppError('deletion_needs_confirmation', message, { details: { ...question } });
}
