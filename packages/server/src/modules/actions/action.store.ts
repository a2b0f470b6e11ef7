import sql, { raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import { mergeAuthors, outside } from '../../platform/text-authors.ts';
import type { Permitted, SavedAuthority } from '../accounts/index.ts';
import {
  type ActionDefinition,
  type ActionRights,
  actionBlueprint,
  type StoredAction,
  withBlueprint,
} from './action.ts';

const ownColumns = raw(`a.key, a.id, a.identifier, a.blueprint_key as "blueprintKey", a.definition,
  a.permissions as rights, a.authority, coalesce(a.text_authors, '{outside}') as "textAuthors", a.version, a.created_at as "createdAt", a.created_by as "createdBy",
  a.updated_at as "updatedAt", a.updated_by as "updatedBy"`);
const columnsIn = (orgId: string): Sql => sql`${ownColumns},
  (select b.identifier from blueprints b where b.org_id = ${orgId} and b.key = a.blueprint_key) as blueprint,
  (select to_json(coalesce(b.text_authors, '{outside}')) from blueprints b
    where b.org_id = ${orgId} and b.key = a.blueprint_key) as "blueprintAuthors"`;

interface ActionRow extends StoredAction {
  readonly blueprint: string | null;
  readonly blueprintAuthors: readonly string[] | null;
}

/** Puts the current identifier of the blueprint into the trigger; another than was written has authors of its own. */
function toAction({ blueprint, blueprintAuthors, ...action }: ActionRow): StoredAction {
  if (blueprint === null || actionBlueprint(action.definition) === blueprint) return action;
  const textAuthors = mergeAuthors(action.textAuthors, blueprintAuthors ?? [outside]);
  return { ...action, textAuthors, definition: withBlueprint(action.definition, blueprint) };
}

const actionRow = row({
  ...fields(
    'actions',
    'key',
    'id',
    'identifier',
    'blueprint_key',
    'version',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  textAuthors: computed.texts,
  blueprint: computed.text.orNull(),
  blueprintAuthors: computed.json.as<string[]>().orNull(),
  definition: field('actions', 'definition').as<ActionRow['definition']>(),
  rights: field('actions', 'permissions').as<ActionRow['rights']>(),
  authority: field('actions', 'authority').as<ActionRow['authority']>(),
});

/** Actions and automations, oldest first. */
export async function listActionRows(reader: Reader, orgId: string): Promise<StoredAction[]> {
  const rows = await reader.rows(
    actionRow.sql`select ${columnsIn(orgId)} from actions a where a.org_id = ${orgId} order by a.key`,
  );
  return rows.map(toAction);
}

/** Some actions, by key or by name. */
export async function findActionRows(
  reader: Reader,
  orgId: string,
  { keys = [], identifiers = [] }: { readonly keys?: readonly number[]; readonly identifiers?: readonly string[] },
): Promise<StoredAction[]> {
  const rows = await reader.rows(actionRow.sql`
    select ${columnsIn(orgId)} from actions a
    where a.org_id = ${orgId} and (a.key = any(${keys}::bigint[]) or a.identifier = any(${identifiers}::text[]))`);
  return rows.map(toAction);
}

export async function findAction(reader: Reader, orgId: string, identifier: string): Promise<StoredAction | undefined> {
  const row = await reader.first(
    actionRow.sql`select ${columnsIn(orgId)} from actions a where a.org_id = ${orgId} and a.identifier = ${identifier}`,
  );
  return row && toAction(row);
}

export async function lockAction(tx: Tx, orgId: string, identifier: string): Promise<StoredAction | undefined> {
  const row = await tx.first(actionRow.sql`
    select ${columnsIn(orgId)} from actions a where a.org_id = ${orgId} and a.identifier = ${identifier} for no key update`);
  return row && toAction(row);
}

export async function findActionByKey(reader: Reader, orgId: string, key: number): Promise<StoredAction | undefined> {
  const row = await reader.first(
    actionRow.sql`select ${columnsIn(orgId)} from actions a where a.org_id = ${orgId} and a.key = ${key}`,
  );
  return row && toAction(row);
}

/** The action, held unchanged for the transaction. */
export async function holdAction(tx: Tx, orgId: string, key: number): Promise<StoredAction | undefined> {
  const row = await tx.first(
    actionRow.sql`select ${columnsIn(orgId)} from actions a where a.org_id = ${orgId} and a.key = ${key} for share`,
  );
  return row && toAction(row);
}

interface ActionStamp {
  readonly orgId: string;
  readonly by: string;
  readonly at: Date;
  /** The authority to save with the action: the limit of its runs. */
  readonly authority: SavedAuthority | null;
  /** Who wrote its texts. */
  readonly authors: readonly string[];
}

interface WrittenAction {
  readonly identifier: string;
  readonly blueprintKey: number | null;
  readonly definition: ActionDefinition;
}

/** Returns undefined if the identifier is in use. The definition names its blueprint as it is called now. */
export async function insertAction(
  tx: Tx,
  { orgId, by, at, authority, authors }: ActionStamp,
  id: string,
  { identifier, blueprintKey, definition }: WrittenAction,
): Promise<StoredAction | undefined> {
  const row = await tx.first(actionRow.sql`
    insert into actions as a (org_id, id, identifier, kind, blueprint_key, definition, authority, created_at, created_by,
      updated_at, updated_by, text_authors)
    values (${orgId}, ${id}, ${identifier}, ${definition.trigger.type}, ${blueprintKey}, ${json(definition)},
      ${authority && json(authority)}, ${at}, ${by}, ${at}, ${by}, ${[...authors]})
    on conflict (org_id, identifier) do nothing
    returning ${ownColumns}, null as blueprint, null as "blueprintAuthors"`);
  return row && toAction(row);
}

/** @throws DatabaseError with constraint `actions_identifier` */
export async function updateActionRow(
  tx: Tx,
  { orgId, by, at, authority, authors }: ActionStamp,
  key: number,
  { identifier, blueprintKey, definition }: WrittenAction,
): Promise<StoredAction> {
  const [row] = await tx.rows(actionRow.sql`
    update actions a set identifier = ${identifier}, kind = ${definition.trigger.type}, blueprint_key = ${blueprintKey},
      definition = ${json(definition)}, authority = ${authority && json(authority)}, version = version + 1, updated_at = ${at}, updated_by = ${by},
      text_authors = merge_text_authors(a.text_authors, ${[...authors]}::text[])
    where a.org_id = ${orgId} and a.key = ${key}
    returning ${columnsIn(orgId)}`);
  return toAction(row as ActionRow);
}

export async function setActionRights(
  tx: Tx,
  orgId: string,
  key: number,
  rights: Permitted<ActionRights>,
): Promise<void> {
  await tx.execute(sql`update actions set permissions = ${json(rights)} where org_id = ${orgId} and key = ${key}`);
}

export async function deleteActionRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`update action_runs set action_key = null where org_id = ${orgId} and action_key = ${key}`);
  await tx.execute(sql`delete from actions where org_id = ${orgId} and key = ${key}`);
}

export async function actionsOfBlueprint(reader: Reader, orgId: string, blueprintKey: number): Promise<StoredAction[]> {
  const rows = await reader.rows(actionRow.sql`
    select ${columnsIn(orgId)} from actions a where a.org_id = ${orgId} and a.blueprint_key = ${blueprintKey} order by a.key`);
  return rows.map(toAction);
}

export async function listActionsByKey(
  reader: Reader,
  orgId: string,
  keys: readonly number[],
): Promise<StoredAction[]> {
  const rows = await reader.rows(
    actionRow.sql`select ${columnsIn(orgId)} from actions a where a.org_id = ${orgId} and a.key = any(${keys}::bigint[])`,
  );
  return rows.map(toAction);
}

const actionVersion = row(fields('actions', 'key', 'version'));

/** Versions of actions by key, held unchanged for the transaction. */
export async function holdActionVersions(
  tx: Tx,
  orgId: string,
  keys: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows(actionVersion.sql`
    select a.key, a.version from actions a
    where a.org_id = ${orgId} and a.key = any(${keys}::bigint[]) order by a.key for share`);
  return new Map(rows.map(({ key, version }) => [key, version]));
}
