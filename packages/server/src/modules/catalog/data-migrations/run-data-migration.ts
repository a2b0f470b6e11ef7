import { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { BlueprintKeeper } from '../../blueprints/index.ts';
import { findOrganization } from '../../identity/index.ts';
import type { CatalogDeps } from '../catalog.deps.ts';
import { findDataMigration, lockDataMigration, type Progress, updateDataMigration } from './data-migration.store.ts';
import { isFinal, type StoredDataMigration } from './data-migration.ts';
import { mapPart } from './map-entities.ts';
import { wipePart } from './wipe-entities.ts';

const input = z.object({ migrationId: z.string() });

export type RunDataMigration = JobDeclaration<typeof input>;

/** Parts done by one run of the job: other jobs get their turn in between. */
const partsPerRun = 20;

export interface RunDeps extends CatalogDeps {
  readonly keeper: BlueprintKeeper;
}

/**
 * Works on a data migration, part by part. Each part is one transaction that moves the migration's mark along, so a run
 * that ends anywhere is continued where the last part ended, and a second run finds nothing left.
 */
export function runDataMigrationJob(deps: RunDeps): RunDataMigration {
  const job: RunDataMigration = defineJob({
    name: 'catalog.run-data-migration',
    input,
    attempts: 5,
    timeoutMs: 10 * 60_000,
    dedupeBy: ({ migrationId }) => migrationId,
    run: async ({ migrationId }, { orgId, attempt, signal }) => {
      const actor = await actorOf(deps, orgId, migrationId);
      if (!actor) return;
      try {
        for (let part = 1; part <= partsPerRun && !signal.aborted; part += 1) {
          const isDone = await deps.unitOfWork(actor, (work) => runPart(deps, work, migrationId, job, part));
          if (isDone) return;
        }
      } catch (error) {
        const isHopeless = error instanceof AppError && !error.isRetryable;
        if (!isHopeless && attempt < job.attempts) throw error;
        const message = error instanceof AppError ? error.message : 'Something failed inside';
        await deps.unitOfWork(actor, async (work) => {
          const migration = await lockDataMigration(work.tx, orgId, migrationId);
          if (migration && !isFinal(migration)) {
            await updateDataMigration(work.tx, migration, { status: 'FAILURE', message }, work.now);
          }
        });
        if (!isHopeless) throw error;
      }
    },
  });
  return job;
}

/** Whoever asked, in the organization as it is now. */
async function actorOf({ database }: RunDeps, orgId: string, id: string): Promise<Actor | undefined> {
  const migration = await findDataMigration(database, orgId, id);
  const organization = migration && (await findOrganization(database, orgId));
  return organization && { ...migration.actor, orgId, model: organization.model };
}

/** One transaction's worth of work; true once there is nothing left. */
async function runPart(deps: RunDeps, work: Work, id: string, job: RunDataMigration, part: number): Promise<boolean> {
  const migration = await lockDataMigration(work.tx, work.actor.orgId, id);
  if (!migration || isFinal(migration)) return true;
  if (migration.status === 'PENDING_CANCELLATION') {
    await updateDataMigration(work.tx, migration, { status: 'CANCELLED' }, work.now);
    return true;
  }
  const progress = await (migration.kind === 'wipe' ? wipePart(deps, work, migration) : mapPart(deps, work, migration));
  const isDone = progress.status === 'COMPLETED';
  const status: StoredDataMigration['status'] = isDone ? 'COMPLETED' : 'RUNNING';
  await updateDataMigration(work.tx, migration, { ...progress, status } satisfies Progress, work.now);
  if (!isDone && part === partsPerRun) await work.enqueue(job, { migrationId: id });
  return isDone;
}
