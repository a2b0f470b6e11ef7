import type { EditedPlace, Resource } from '@portolan/team-references';
import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const appliedSuggestion = row({
  ...fields('people_migration_suggestions', 'item_id', 'applied_at', 'applied_by'),
  resource: field('people_migration_suggestions', 'resource').as<Resource>(),
  places: field('people_migration_suggestions', 'places').as<readonly EditedPlace[]>(),
});

export type AppliedSuggestion = RowOf<typeof appliedSuggestion>;

const columns = raw('item_id as "itemId", resource, places, applied_at as "appliedAt", applied_by as "appliedBy"');

/** Applied suggestions of a migration in the order of application. */
export function listApplied(reader: Reader, orgId: string, migrationId: string): Promise<AppliedSuggestion[]> {
  return reader.rows(appliedSuggestion.sql`
    select ${columns} from people_migration_suggestions
    where org_id = ${orgId} and migration_id = ${migrationId} order by applied_at, item_id`);
}

export function findApplied(
  reader: Reader,
  orgId: string,
  migrationId: string,
  itemId: string,
): Promise<AppliedSuggestion | undefined> {
  return reader.first(appliedSuggestion.sql`
    select ${columns} from people_migration_suggestions
    where org_id = ${orgId} and migration_id = ${migrationId} and item_id = ${itemId}`);
}

const appliedSuggestionRow = row({
  ...fields('people_migration_suggestions', 'item_id', 'applied_at', 'applied_by'),
  resource: field('people_migration_suggestions', 'resource').as<AppliedSuggestion['resource']>(),
  places: field('people_migration_suggestions', 'places').as<AppliedSuggestion['places']>(),
});

/** The one applied last, because reverts run backwards. */
export function findLastApplied(
  reader: Reader,
  orgId: string,
  migrationId: string,
): Promise<AppliedSuggestion | undefined> {
  return reader.first(appliedSuggestionRow.sql`
    select ${columns} from people_migration_suggestions
    where org_id = ${orgId} and migration_id = ${migrationId} order by applied_at desc, item_id desc limit 1`);
}

/** Replaces an earlier application whose value was reset by hand. */
export async function putApplied(
  tx: Tx,
  orgId: string,
  migrationId: string,
  { itemId, resource, places, appliedAt, appliedBy }: AppliedSuggestion,
): Promise<void> {
  await tx.execute(sql`
    insert into people_migration_suggestions (org_id, migration_id, item_id, resource, places, applied_at, applied_by)
    values (${orgId}, ${migrationId}, ${itemId}, ${json(resource)}, ${json(places)}, ${appliedAt}, ${appliedBy})
    on conflict (org_id, migration_id, item_id) do update set resource = excluded.resource, places = excluded.places,
      applied_at = excluded.applied_at, applied_by = excluded.applied_by`);
}

export async function deleteApplied(tx: Tx, orgId: string, migrationId: string, itemId: string): Promise<void> {
  await tx.execute(sql`
    delete from people_migration_suggestions
    where org_id = ${orgId} and migration_id = ${migrationId} and item_id = ${itemId}`);
}
