import type { UsersAndTeamsChoices, UsersAndTeamsPlan } from '@portolan/contract/users-and-teams';
import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, row } from '../../../platform/db/row.ts';
import type { StoredMigration } from './migration.ts';

const columns = raw(`org_id as "orgId", id, status, stage, from_model as "fromModel", actor, choices, counts, blockers,
  follow_up as "followUp", message, created_at as "createdAt", updated_at as "updatedAt", flipped_at as "flippedAt",
  finished_at as "finishedAt", undo_until as "undoUntil"`);

const storedMigration = row({
  ...fields(
    'people_migrations',
    'org_id',
    'id',
    'status',
    'from_model',
    'message',
    'created_at',
    'updated_at',
    'flipped_at',
    'finished_at',
    'undo_until',
  ),
  stage: field('people_migrations', 'stage').as<StoredMigration['stage']>(),
  actor: field('people_migrations', 'actor').as<StoredMigration['actor']>(),
  choices: field('people_migrations', 'choices').as<StoredMigration['choices']>(),
  counts: field('people_migrations', 'counts').as<StoredMigration['counts']>(),
  blockers: field('people_migrations', 'blockers').as<StoredMigration['blockers']>(),
  followUp: field('people_migrations', 'follow_up').as<StoredMigration['followUp']>(),
});

export function findMigration(reader: Reader, orgId: string): Promise<StoredMigration | undefined> {
  return reader.first(
    storedMigration.sql`select ${columns} from people_migrations where org_id = ${orgId} order by key desc limit 1`,
  );
}

/** Locks the newest migration until the transaction ends, so that two processes do not run the same step. */
export function lockMigration(tx: Tx, orgId: string): Promise<StoredMigration | undefined> {
  return tx.first(
    storedMigration.sql`select ${columns} from people_migrations where org_id = ${orgId} order by key desc limit 1 for update`,
  );
}

/** @throws DatabaseError with constraint `people_migrations_open` if another is under way */
export async function insertMigration(
  tx: Tx,
  migration: Pick<StoredMigration, 'orgId' | 'id' | 'status' | 'fromModel' | 'actor' | 'choices' | 'blockers'>,
  at: Date,
): Promise<void> {
  const { orgId, id, status, fromModel, actor, choices, blockers } = migration;
  await tx.execute(sql`
    insert into people_migrations (org_id, id, status, stage, from_model, actor, choices, blockers, created_at, updated_at)
    values (${orgId}, ${id}, ${status}, 'PREFLIGHT', ${fromModel}, ${json(actor)}, ${json(choices)}, ${json(blockers)},
      ${at}, ${at})`);
}

type MigrationChange = Partial<
  Pick<
    StoredMigration,
    | 'status'
    | 'stage'
    | 'choices'
    | 'counts'
    | 'blockers'
    | 'followUp'
    | 'message'
    | 'flippedAt'
    | 'finishedAt'
    | 'undoUntil'
  >
>;

/** Updates the given columns only. */
export async function updateMigration(
  tx: Tx,
  before: StoredMigration,
  change: MigrationChange,
  at: Date,
): Promise<void> {
  const after = { ...before, ...change };
  await tx.execute(sql`
    update people_migrations set status = ${after.status}, stage = ${after.stage}, choices = ${json(after.choices)},
      counts = ${json(after.counts)}, blockers = ${json(after.blockers)}, follow_up = ${json(after.followUp)},
      message = ${after.message}, flipped_at = ${after.flippedAt}, finished_at = ${after.finishedAt},
      undo_until = ${after.undoUntil}, updated_at = ${at}
    where org_id = ${before.orgId} and id = ${before.id}`);
}

const choicesRow = row({
  choices: field('people_migration_choices', 'choices').as<UsersAndTeamsChoices>(),
});

/** Choices of people; empty if there are none. */
export async function findChoices(reader: Reader, orgId: string): Promise<UsersAndTeamsChoices> {
  const row = await reader.first(choicesRow.sql`select choices from people_migration_choices where org_id = ${orgId}`);
  return row?.choices ?? {};
}

export async function putChoices(
  tx: Tx,
  orgId: string,
  choices: UsersAndTeamsChoices,
  by: string,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into people_migration_choices (org_id, choices, updated_at, updated_by)
    values (${orgId}, ${json(choices)}, ${at}, ${by})
    on conflict (org_id) do update set choices = excluded.choices, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`);
}

/** A document before and after the migration; null where it did not exist. */
export interface Image {
  readonly kind: 'definition' | 'rights' | 'team' | 'created';
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

export async function insertImages(
  tx: Tx,
  orgId: string,
  migrationId: string,
  images: readonly Image[],
): Promise<void> {
  if (images.length === 0) return;
  await tx.execute(sql`
    insert into people_migration_images (org_id, migration_id, kind, name, before, after)
    select ${orgId}, ${migrationId}, i.kind, i.name, i.before, i.after
    from jsonb_to_recordset(${json(images)}::jsonb) as i(kind text, name text, before jsonb, after jsonb)`);
}

export function listImages(reader: Reader, orgId: string, migrationId: string): Promise<Image[]> {
  return reader.rows<Image>(sql`
    select kind, name, before, after from people_migration_images
    where org_id = ${orgId} and migration_id = ${migrationId} and kind <> 'manual' order by kind, name`);
}

/** Stores the items that the migration leaves to people, as they are at its start, and replaces earlier ones. */
export async function putManual(
  tx: Tx,
  orgId: string,
  migrationId: string,
  manual: UsersAndTeamsPlan['manual'],
): Promise<void> {
  await tx.execute(sql`
    insert into people_migration_images (org_id, migration_id, kind, name, before)
    values (${orgId}, ${migrationId}, 'manual', 'items', ${json(manual)})
    on conflict (org_id, migration_id, kind, name) do update set before = excluded.before`);
}

const imageRow = row({
  manual: field('people_migration_images', 'before').as<UsersAndTeamsPlan['manual']>().notNull(),
});

/** Items that the migration left to people; undefined before it has begun. */
export async function findManual(
  reader: Reader,
  orgId: string,
  migrationId: string,
): Promise<UsersAndTeamsPlan['manual'] | undefined> {
  const row = await reader.first(imageRow.sql`
    select before as manual from people_migration_images
    where org_id = ${orgId} and migration_id = ${migrationId} and kind = 'manual' and name = 'items'`);
  return row?.manual;
}

const itemRow = row({ item: computed.json.as<unknown>() });

export async function findManualItem(
  reader: Reader,
  orgId: string,
  migrationId: string,
  itemId: string,
): Promise<unknown> {
  const row = await reader.first(itemRow.sql`
    select item from people_migration_images i, jsonb_array_elements(i.before) as item
    where i.org_id = ${orgId} and i.migration_id = ${migrationId} and i.kind = 'manual' and i.name = 'items'
      and item ->> 'id' = ${itemId} limit 1`);
  return row?.item;
}

/** Deletes the images that undo needs, and keeps the items left to people. */
export async function dropImages(tx: Tx, orgId: string, migrationId: string): Promise<void> {
  await tx.execute(sql`
    delete from people_migration_images
    where org_id = ${orgId} and migration_id = ${migrationId} and kind <> 'manual'`);
  await tx.execute(sql`
    delete from people_migration_teams where org_id = ${orgId} and migration_id = ${migrationId}`);
}

const peopleMigrationRow = row(fields('people_migrations', 'org_id', 'id'));

/** Migrations of all organizations that still have images but can no longer be undone. */
export function listForgettable(reader: Reader, now: Date): Promise<{ readonly orgId: string; readonly id: string }[]> {
  return reader.rows(peopleMigrationRow.sql`
    select m.org_id as "orgId", m.id from people_migrations m /* all organizations */
    where (m.undo_until < ${now} or m.status = 'ROLLED_BACK') and m.status not in ('PENDING', 'RUNNING') and exists (
      select 1 from people_migration_images i
      where i.org_id = m.org_id and i.migration_id = m.id and i.kind <> 'manual')`);
}
