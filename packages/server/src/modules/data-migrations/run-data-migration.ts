import type { Actor } from '../../platform/actor.ts';
import { limitTo } from '../../platform/authority.ts';
import { AppError } from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { authorityToday, saveAuthority } from '../accounts/index.ts';
import { setDeletion } from '../blueprints/index.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { findOrganization } from '../organizations/index.ts';
import {
  findDataMigration,
  findDeletion,
  lockDataMigration,
  type Progress,
  updateDataMigration,
} from './data-migration.store.ts';
import { isFinal, type StoredDataMigration } from './data-migration.ts';
import { mapPart } from './map-entities.ts';
import { recordDataMigration } from './record-data-migration.ts';
import { type RunDataMigration, runDataMigrationInput } from './run-data-migration.types.ts';
import { undoPart } from './undo-entities.ts';
import { wipePart } from './wipe-entities.ts';

/** Parts per job run, so that other jobs get their turn. */
const partsPerRun = 20;

/**
 * Processes a data migration in parts. Each part is one transaction that also stores the progress, so an interrupted
 * run continues after its last part, and a repeated run finds nothing to do.
 */
export function runDataMigrationJob(deps: CatalogDeps): RunDataMigration {
  const job: RunDataMigration = defineJob({
    name: 'catalog.run-data-migration',
    input: runDataMigrationInput,
    attempts: 5,
    timeoutMs: 10 * 60_000,
    dedupeBy: ({ migrationId }) => migrationId,
    run: async ({ migrationId }, { orgId, attempt, signal }) => {
      const migration = await findDataMigration(deps.database, orgId, migrationId);
      const organization = migration && (await findOrganization(deps.database, orgId));
      if (!organization) return;
      const asked: Actor = { ...migration.actor, orgId, model: organization.model };
      try {
        const actor = await actorNow(deps, asked);
        for (let part = 1; part <= partsPerRun && !signal.aborted; part += 1) {
          const isDone = await deps.unitOfWork(actor, (work) => runPart(deps, work, migrationId, job, part));
          if (isDone) return;
        }
      } catch (error) {
        const isHopeless = error instanceof AppError && !error.isRetryable;
        if (!isHopeless && attempt < job.attempts) throw error;
        const message = error instanceof AppError ? error.message : 'Something failed inside';
        await deps.unitOfWork(asked, async (work) => {
          const current = await lockDataMigration(work.tx, orgId, migrationId);
          if (current && !isFinal(current)) await end(work, current, { status: 'FAILURE', message });
        });
        if (!isHopeless) throw error;
      }
    },
  });
  return job;
}

/**
 * The migration's author with the rights they had then, limited to today's.
 * @throws AppError `missing_permissions` if the author was deleted or disabled
 */
async function actorNow({ database }: CatalogDeps, asked: Actor): Promise<Actor> {
  const saved = saveAuthority(asked);
  const now = await authorityToday(database, asked.orgId, saved);
  if (now) return limitTo(asked, now);
  throw new AppError('missing_permissions', `"${saved.by.id}", who asked for it, was removed or disabled`);
}

/** One transaction; true if nothing is left. */
async function runPart(
  deps: CatalogDeps,
  work: Work,
  id: string,
  job: RunDataMigration,
  part: number,
): Promise<boolean> {
  const migration = await lockDataMigration(work.tx, work.actor.orgId, id);
  if (!migration || isFinal(migration)) return true;
  if (migration.status === 'PENDING_CANCELLATION') {
    await end(work, migration, { status: 'CANCELLED' });
    return true;
  }
  const progress = await parts[migration.kind](deps, work, migration);
  if (progress.status === 'COMPLETED') {
    await end(work, migration, progress);
    return true;
  }
  await updateDataMigration(work.tx, migration, { ...progress, status: 'RUNNING' }, work.now);
  if (part === partsPerRun) await work.enqueue(job, { migrationId: id });
  return false;
}

const parts = { wipe: wipePart, map: mapPart, undo: undoPart };

/** Failed if every entity failed; complete with a list of failures otherwise. */
async function end(work: Work, migration: StoredDataMigration, progress: Progress): Promise<void> {
  const succeeded = migration.successCount + (progress.succeeded ?? 0);
  const failed = migration.failureCount + (progress.failed ?? 0);
  const status = progress.status === 'COMPLETED' && succeeded === 0 && failed > 0 ? 'FAILURE' : progress.status;
  const after = await updateDataMigration(work.tx, migration, { ...progress, status }, work.now);
  if (migration.kind === 'wipe' && migration.deleteBlueprint && status !== 'COMPLETED') await letWrite(work, migration);
  recordDataMigration(work, 'UPDATE', migration, after);
}

/** Allows writes to the blueprint again, unless another deletion is in progress. */
async function letWrite({ tx, actor }: Work, { blueprintKey }: StoredDataMigration): Promise<void> {
  await setDeletion(tx, actor.orgId, blueprintKey, await findDeletion(tx, actor.orgId, blueprintKey));
}
