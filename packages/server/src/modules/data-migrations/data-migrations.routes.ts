import * as contract from '@portolan/contract/data-migrations';
import * as entities from '@portolan/contract/entities';
import { type Route, route } from '../../platform/http/route.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { moderatedBy } from '../rights/index.ts';
import { cancelDataMigration } from './cancel-data-migration.ts';
import { findDataMigration, listDataMigrationRows } from './data-migration.store.ts';
import { presentDataMigration, type StoredDataMigration } from './data-migration.ts';
import { listFailures } from './data-migration-outcomes.store.ts';
import { permitted } from './permit-data-migration.ts';
import { presentFailure, previewDataMigration } from './preview-data-migration.ts';
import type { RunDataMigration } from './run-data-migration.types.ts';
import { deleteAllEntities, startDataMigration } from './start-data-migration.ts';
import { rerunDataMigration, undoDataMigration } from './undo-data-migration.ts';

const errorsListedMax = 1_000;

export function dataMigrationRoutes(deps: CatalogDeps, runJob: RunDataMigration, undoDays: number): Route[] {
  const { database, unitOfWork } = deps;
  const start = { unitOfWork, runJob, undoDays };
  return [
    route(entities.deleteAllEntities, async ({ params, query }, { actor }) => {
      const migration = await deleteAllEntities(start, actor, params.blueprint_identifier, query.delete_blueprint);
      return { migrationId: migration.id };
    }),
    route(contract.listDataMigrations, async ({ query }, { actor }) => {
      const migrations = await listDataMigrationRows(database, actor.orgId, query, moderatedBy(actor));
      return { migrations: migrations.map(presentDataMigration) };
    }),
    route(contract.startDataMigration, async ({ body, query }, { actor }) => {
      const { sourceBlueprint, mapping } = body;
      if (query.dry_run) return { preview: await previewDataMigration(deps, actor, sourceBlueprint, mapping) };
      return started(await startDataMigration(start, actor, sourceBlueprint, mapping));
    }),
    route(contract.getDataMigration, async ({ params }, { actor }) => {
      const found = await findDataMigration(database, actor.orgId, params.migration_id);
      return { migration: presentDataMigration(permitted(actor, found, params.migration_id)) };
    }),
    route(contract.listDataMigrationErrors, async ({ params }, { actor }) => {
      const found = await findDataMigration(database, actor.orgId, params.migration_id);
      const migration = permitted(actor, found, params.migration_id);
      const failures = await listFailures(database, migration, errorsListedMax);
      return { errors: failures.map(presentFailure), failureCount: migration.failureCount };
    }),
    route(contract.cancelDataMigration, async ({ params, body }, { actor }) => ({
      migration: presentDataMigration(await cancelDataMigration(start, actor, params.migration_id, body.reason)),
    })),
    route(contract.rerunDataMigration, async ({ params }, { actor }) =>
      started(await rerunDataMigration(start, actor, params.migration_id)),
    ),
    route(contract.undoDataMigration, async ({ params }, { actor }) =>
      started(await undoDataMigration(start, actor, params.migration_id)),
    ),
  ];
}

function started(migration: StoredDataMigration) {
  return { migrationId: migration.id, migration: presentDataMigration(migration) };
}
