import * as contract from '@portolan/contract';
import { notFound } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import type { CatalogDeps } from '../catalog.deps.ts';
import { findDataMigration, listDataMigrationRows } from './data-migration.store.ts';
import { presentDataMigration } from './data-migration.ts';
import type { RunDataMigration } from './run-data-migration.ts';
import { cancelDataMigration, deleteAllEntities, startDataMigration } from './start-data-migration.ts';

export function dataMigrationRoutes(deps: CatalogDeps, runJob: RunDataMigration): Route[] {
  const { database, unitOfWork } = deps;
  const start = { unitOfWork, runJob };
  return [
    route(contract.deleteAllEntities, async ({ params, query }, { actor }) => {
      const migration = await deleteAllEntities(start, actor, params.blueprint_identifier, query.delete_blueprint);
      return { migrationId: migration.id };
    }),
    route(contract.listDataMigrations, async ({ query }, { actor }) => {
      const migrations = await listDataMigrationRows(database, actor.orgId, query);
      return { migrations: migrations.map(presentDataMigration) };
    }),
    route(contract.startDataMigration, async ({ body }, { actor }) => {
      const migration = await startDataMigration(start, actor, body.sourceBlueprint, body.mapping);
      return { migrationId: migration.id, migration: presentDataMigration(migration) };
    }),
    route(contract.getDataMigration, async ({ params }, { actor }) => {
      const migration = await findDataMigration(database, actor.orgId, params.migration_id);
      if (!migration) throw notFound('Migration', params.migration_id, 'id');
      return { migration: presentDataMigration(migration) };
    }),
    route(contract.cancelDataMigration, async ({ params, body }, { actor }) => ({
      migration: presentDataMigration(await cancelDataMigration(start, actor, params.migration_id, body.reason)),
    })),
  ];
}
