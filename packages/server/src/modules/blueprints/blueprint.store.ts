import sql, { raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import { writtenBy } from '../../platform/text-authors.ts';
import type { Permitted } from '../accounts/index.ts';
import type { BlueprintDefinition, StoredBlueprint } from './blueprint.ts';

const columns = raw(`org_id as "orgId", key, identifier, definition, permissions as rights, is_system as "isSystem",
  deletion_id as "deletionId", version, created_at as "createdAt", created_by as "createdBy", updated_at as "updatedAt", updated_by as "updatedBy"`);

const storedBlueprint = row({
  ...fields(
    'blueprints',
    'org_id',
    'key',
    'identifier',
    'is_system',
    'deletion_id',
    'version',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  definition: field('blueprints', 'definition').as<StoredBlueprint['definition']>(),
  rights: field('blueprints', 'permissions').as<StoredBlueprint['rights']>(),
});

export function findBlueprint(reader: Reader, orgId: string, identifier: string): Promise<StoredBlueprint | undefined> {
  return reader.first(
    storedBlueprint.sql`select ${columns} from blueprints where org_id = ${orgId} and identifier = ${identifier}`,
  );
}

const blueprintOrgId = row(fields('blueprints', 'org_id'));

/** Organizations whose agents still have fields from before the cutover. */
export async function listOldAgentSchemas(reader: Reader): Promise<string[]> {
  const rows = await reader.rows(blueprintOrgId.sql`
    select org_id as "orgId" from blueprints /* all organizations */
    where identifier = '_ai_agent' and definition #> '{schema,properties,allowed_blueprints}' is not null
    order by org_id`);
  return rows.map(({ orgId }) => orgId);
}

export interface StampedBlueprint {
  readonly blueprint: StoredBlueprint;
  readonly stamp: string;
}

/**
 * Distinguishes states of rows in `blueprints b`: no two committed states share a stamp. The version alone would do if
 * no writer ever forgot to raise it; `xmin` cannot be forgotten.
 */
const stampColumn = raw(`b.key || ':' || b.version || ':' || b.xmin`);

/** The stamp of a blueprint's row, for selecting beside what is read. */
export function blueprintStamp({ orgId, key }: StoredBlueprint): Sql {
  return sql`(select ${stampColumn} from blueprints b where b.org_id = ${orgId} and b.key = ${key})`;
}

const blueprintRow = row({
  ...fields(
    'blueprints',
    'org_id',
    'key',
    'identifier',
    'is_system',
    'deletion_id',
    'version',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  definition: field('blueprints', 'definition').as<BlueprintDefinition>(),
  rights: field('blueprints', 'permissions').as<StoredBlueprint['rights']>(),
  stamp: computed.text,
});

export async function findStampedBlueprint(
  reader: Reader,
  orgId: string,
  identifier: string,
): Promise<StampedBlueprint | undefined> {
  const row = await reader.first(blueprintRow.sql`
    select ${columns}, ${stampColumn} as stamp from blueprints b where org_id = ${orgId} and identifier = ${identifier}`);
  if (!row) return undefined;
  const { stamp, ...blueprint } = row;
  return { blueprint, stamp };
}

/** Locks the blueprint for a change; others may still create relations to it. */
export function lockBlueprint(tx: Tx, orgId: string, identifier: string): Promise<StoredBlueprint | undefined> {
  return tx.first(
    storedBlueprint.sql`select ${columns} from blueprints where org_id = ${orgId} and identifier = ${identifier} for no key update`,
  );
}

/** Locks the blueprint exclusively: nobody can start to depend on it while it is deleted. */
export function lockBlueprintToDelete(tx: Tx, orgId: string, identifier: string): Promise<StoredBlueprint | undefined> {
  return tx.first(
    storedBlueprint.sql`select ${columns} from blueprints where org_id = ${orgId} and identifier = ${identifier} for update`,
  );
}

const blueprintIdentifier = row(fields('blueprints', 'identifier'));

/** The existing ones of these blueprints; for the transaction they may change, but are neither deleted nor renamed. */
export async function holdBlueprintNames(tx: Tx, orgId: string, identifiers: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows(blueprintIdentifier.sql`
    select identifier from blueprints where org_id = ${orgId} and identifier = any(${identifiers})
    order by key for key share`);
  return new Set(rows.map(({ identifier }) => identifier));
}

const stampRow = row({ stamp: computed.text });

/** Holds the blueprint unchanged for the transaction, and reads only its stamp. */
export async function holdStamp(tx: Tx, orgId: string, identifier: string): Promise<string | undefined> {
  const row = await tx.first(stampRow.sql`
    select ${stampColumn} as stamp from blueprints b where b.org_id = ${orgId} and b.identifier = ${identifier} for share`);
  return row?.stamp;
}

/** Locks several blueprints for a change, always in the same order. */
export async function lockBlueprintsInOrder(tx: Tx, orgId: string, identifiers: readonly string[]): Promise<void> {
  await tx.rows(sql`
    select key from blueprints where org_id = ${orgId} and identifier = any(${identifiers})
    order by key for no key update`);
}

/** Serializes changes of ownership paths in an organization. */
export async function lockOwnershipPaths(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(4771004, hashtext(${orgId}))`);
}

export function listBlueprintRows(reader: Reader, orgId: string): Promise<StoredBlueprint[]> {
  return reader.rows(storedBlueprint.sql`select ${columns} from blueprints where org_id = ${orgId} order by key`);
}

/** @throws DatabaseError with constraint `blueprints_identifier` */
export async function insertBlueprint(
  tx: Tx,
  blueprint: {
    readonly orgId: string;
    readonly identifier: string;
    readonly definition: BlueprintDefinition;
    readonly isSystem: boolean;
    readonly rights: Permitted<NonNullable<StoredBlueprint['rights']>> | null;
    readonly by: string;
    readonly authors: readonly string[];
    readonly at: Date;
  },
): Promise<StoredBlueprint> {
  const { orgId, identifier, definition, isSystem, rights, by, authors, at } = blueprint;
  const [row] = await tx.rows(storedBlueprint.sql`
    insert into blueprints (org_id, identifier, definition, permissions, is_system, created_at, created_by, updated_at,
      updated_by, text_authors)
    values (${orgId}, ${identifier}, ${json(definition)}, ${rights === null ? null : json(rights)}, ${isSystem}, ${at},
      ${by}, ${at}, ${by}, ${[...authors]})
    returning ${columns}`);
  return row as StoredBlueprint;
}

/** @throws DatabaseError with constraint `blueprints_identifier` */
export async function updateBlueprintRow(
  tx: Tx,
  blueprint: Permitted<Pick<StoredBlueprint, 'orgId' | 'key' | 'identifier' | 'definition'>>,
  by: Actor,
  at: Date,
): Promise<StoredBlueprint> {
  const { orgId, key, identifier, definition } = blueprint;
  const [row] = await tx.rows(storedBlueprint.sql`
    update blueprints set identifier = ${identifier}, definition = ${json(definition)}, version = version + 1,
      updated_at = ${at}, updated_by = ${by.id},
      text_authors = merge_text_authors(text_authors, ${[...writtenBy(by)]}::text[])
    where org_id = ${orgId} and key = ${key}
    returning ${columns}`);
  return row as StoredBlueprint;
}

const authorsRow = row({ identifier: computed.text, authors: computed.json.as<string[]>() });

/** Who wrote the texts of blueprints; of those from before authors were kept, anybody. */
export function listBlueprintAuthors(
  reader: Reader,
  orgId: string,
  identifiers: readonly string[],
): Promise<{ readonly identifier: string; readonly authors: readonly string[] }[]> {
  return reader.rows(authorsRow.sql`
    select identifier, to_json(coalesce(text_authors, '{outside}')) as authors from blueprints
    where org_id = ${orgId} and identifier = any(${[...identifiers]}::text[])`);
}

/** Marks the blueprint as being deleted, for whoever holds it; null unmarks it. */
export async function setDeletion(tx: Tx, orgId: string, key: number, migrationId: string | null): Promise<void> {
  await tx.execute(sql`
    update blueprints set deletion_id = ${migrationId} where org_id = ${orgId} and key = ${key}`);
}

export async function deleteBlueprintRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`delete from blueprints where org_id = ${orgId} and key = ${key}`);
}

export async function setBlueprintRights(
  tx: Tx,
  orgId: string,
  identifier: string,
  rights: Permitted<NonNullable<StoredBlueprint['rights']>>,
): Promise<void> {
  await tx.execute(sql`
    update blueprints set permissions = ${json(rights)}, version = version + 1
    where org_id = ${orgId} and identifier = ${identifier}`);
}

/**
 * Writes definition and rights without touching who changed them last and when. The caller moves values of entities.
 */
export async function restoreBlueprint(
  tx: Tx,
  { orgId, key, definition, rights }: Permitted<Pick<StoredBlueprint, 'orgId' | 'key' | 'definition' | 'rights'>>,
): Promise<void> {
  await tx.execute(sql`
    update blueprints set definition = ${json(definition)}, permissions = ${rights === null ? null : json(rights)},
      version = version + 1
    where org_id = ${orgId} and key = ${key}`);
}

const organizationId = row({ orgId: field('organizations', 'id') });

/** Organizations from before scorecards were data, by identifier. */
export function listWithoutScorecardData(reader: Reader, after: string, limit: number): Promise<{ orgId: string }[]> {
  const results = '_rule_result';
  return reader.rows(organizationId.sql`
    select o.id as "orgId" from organizations o
    where o.id > ${after} and o.id not in (select b.org_id from blueprints b where b.identifier = ${results})
    order by o.id limit ${limit} /* all organizations */`);
}
