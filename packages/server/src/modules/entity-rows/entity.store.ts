import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { createJsonTexts, json } from '../../platform/db/json.ts';
import { computed, countRow, field, fields, row } from '../../platform/db/row.ts';
import { ruleTeamForm } from '../accounts/index.ts';
import type { ReadEntity, SortedEntity, StoredEntity } from './entity.ts';

export const storedColumns =
  raw(`e.key, e.blueprint_key as "blueprintKey", e.identifier, e.title, e.icon, e.properties, e.relations,
  e.derived, e.scorecards, e.own_team_refs as "ownTeamRefs", e.team_refs as "teamRefs", e.version, e.created_at as "createdAt",
  e.created_by as "createdBy", e.updated_at as "updatedAt", e.updated_by as "updatedBy"`);

export const storedEntity = row({
  ...fields(
    'entities',
    'key',
    'blueprint_key',
    'identifier',
    'title',
    'icon',
    'own_team_refs',
    'team_refs',
    'version',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  properties: field('entities', 'properties').as<StoredEntity['properties']>(),
  relations: field('entities', 'relations').as<StoredEntity['relations']>(),
  derived: field('entities', 'derived').as<StoredEntity['derived']>(),
  scorecards: field('entities', 'scorecards').as<StoredEntity['scorecards']>(),
});

const readEntity = row({ ...storedEntity.fields, team: computed.texts });
const stampedEntity = row({ ...readEntity.fields, stamp: computed.text });
const sortedEntity = row({ ...stampedEntity.fields, sortedBy: computed.json.as<SortedEntity['sortedBy']>() });
const entityTexts = row({ ...storedEntity.fields, properties: computed.text, relations: computed.text });

/** Properties and relations as text, for writing them unchanged. */
const storedTexts = raw(`e.key, e.blueprint_key as "blueprintKey", e.identifier, e.title, e.icon,
  e.properties::text as properties, e.relations::text as relations, e.derived, e.scorecards,
  e.own_team_refs as "ownTeamRefs", e.team_refs as "teamRefs", e.version, e.created_at as "createdAt",
  e.created_by as "createdBy", e.updated_at as "updatedAt", e.updated_by as "updatedBy"`);

const stored = storedColumns;

/** Names of the entity's teams: unresolved references as written, deleted teams left out. */
function teamNames(orgId: string, shown: 'identifier' | 'title'): Sql {
  return sql`case when e.team_refs = '{}' then '{}' else array(
    select coalesce(t.${raw(shown)}, substr(r.reference, 2))
    from unnest(e.team_refs) with ordinality as r(reference, position)
    left join teams t on t.org_id = ${orgId} and t.key = r.reference
    where t.key is not null or r.reference like '?%'
    order by r.position) end as team`;
}

/** How a model shows teams in values (compatibility choices, People and teams). */
export function teamForm(model: 'legacy' | 'beta' | 'blueprints'): 'identifier' | 'title' {
  return model === 'blueprints' ? 'identifier' : 'title';
}

/** How a model shows teams in values, and names them in rules. */
export function teamForms(model: 'legacy' | 'beta' | 'blueprints') {
  return { teamForm: teamForm(model), ruleTeamForm: ruleTeamForm(model) };
}

export type WithStamp<Entity> = Entity & { readonly stamp: string };

const noStamp = sql`''`;

/**
 * Selects `name` and `key` by identifier. Without statistics, as in the first minute of an import, the planner takes any
 * index that begins with the blueprint for as good as that of identifiers, and reads all of its entities for each name. Only
 * that one has the order that is asked for here.
 */
export function selectKeys(orgId: string, blueprintKey: Sql, identifiers: Sql): Sql {
  return sql`select w.name, x.key from unnest(${identifiers}) as w(name) cross join lateral (
    select i.key from entities i
    where i.org_id = ${orgId} and i.blueprint_key = ${blueprintKey} and i.identifier >= w.name and i.identifier <= w.name
    order by i.identifier limit 1) x`;
}

export function findEntity(
  reader: Reader,
  where: { readonly orgId: string; readonly blueprintKey: number; readonly identifier: string },
  shown: 'identifier' | 'title',
  condition: Sql,
  stamp: Sql = noStamp,
): Promise<WithStamp<ReadEntity> | undefined> {
  return reader.first(stampedEntity.sql`
    select ${stored}, ${teamNames(where.orgId, shown)}, ${stamp} as stamp from entities e
    where e.org_id = ${where.orgId} and ${condition} and e.key = (
      select n.key from (${selectKeys(where.orgId, sql`${where.blueprintKey}::bigint`, sql`array[${where.identifier}::text]`)}) n)`);
}

/** Matching entities in order of creation. */
export function selectEntities(
  reader: Reader,
  orgId: string,
  condition: Sql,
  page: { readonly afterKey?: number | undefined; readonly limit?: number | undefined },
  shown: 'identifier' | 'title',
): Promise<ReadEntity[]> {
  const after = page.afterKey === undefined ? sql`true` : sql`e.key > ${page.afterKey}`;
  const limit = page.limit === undefined ? sql`` : sql`limit ${page.limit}`;
  return reader.rows(readEntity.sql`
    select ${stored}, ${teamNames(orgId, shown)} from entities e
    where e.org_id = ${orgId} and ${condition} and ${after} order by e.key ${limit}`);
}

/** Matching entities in an order, each with its sort values. */
export function selectSorted(
  reader: Reader,
  orgId: string,
  by: { readonly condition: Sql; readonly orderBy: Sql; readonly values: Sql; readonly limit?: number | undefined },
  shown: 'identifier' | 'title',
  stamp: Sql = noStamp,
): Promise<WithStamp<SortedEntity>[]> {
  const limit = by.limit === undefined ? sql`` : sql`limit ${by.limit}`;
  return reader.rows(sortedEntity.sql`
    select ${stored}, ${by.values} as "sortedBy", ${teamNames(orgId, shown)}, ${stamp} as stamp from entities e
    where e.org_id = ${orgId} and ${by.condition} order by ${by.orderBy} ${limit}`);
}

export async function countEntityRows(reader: Reader, orgId: string, condition: Sql): Promise<number> {
  const row = await reader.first(
    countRow.sql`select count(*)::int as count from entities e where e.org_id = ${orgId} and ${condition}`,
  );
  return row?.count ?? 0;
}

/**
 * Entities by identifier, locked for the transaction: first keys, then locks in key order, each by its own look-up.
 * `texts` caches their properties and relations.
 */
export async function lockEntities(
  tx: Tx,
  orgId: string,
  blueprintKey: number,
  identifiers: readonly string[],
  texts = createJsonTexts(),
): Promise<StoredEntity[]> {
  if (identifiers.length === 0) return [];
  type EntityResult = Omit<StoredEntity, 'properties' | 'relations'> & { properties: unknown; relations: unknown };
  const rows: EntityResult[] = await tx.rows(entityTexts.sql`
    select ${storedTexts} from (
      ${selectKeys(orgId, sql`${blueprintKey}::bigint`, sql`${identifiers}::text[]`)} order by key) o
    cross join lateral (
      select x.* from entities x where x.org_id = ${orgId} and x.key = o.key and x.identifier = o.name
      for no key update) e`);
  for (const row of rows) {
    row.properties = texts.parse(row.properties as string);
    row.relations = texts.parse(row.relations as string);
  }
  return rows as StoredEntity[];
}

/** The same by key; deleted rows are missing. */
export function lockEntitiesByKey(tx: Tx, orgId: string, keys: readonly number[]): Promise<StoredEntity[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return tx.rows(storedEntity.sql`
    select ${stored} from entities e
    where e.org_id = ${orgId} and e.key = any(${keys}::bigint[]) order by e.key for no key update`);
}

/** Waits for transactions that point at the entities and blocks new ones: what is read afterwards is complete. */
export async function lockToDelete(tx: Tx, orgId: string, keys: readonly number[]): Promise<void> {
  await tx.rows(sql`
    select e.key from entities e where e.org_id = ${orgId} and e.key = any(${keys}::bigint[]) order by e.key for update`);
}

/** Writes computed values; versions and times stay, because nobody wrote. */
export function updateDerived(
  tx: Tx,
  orgId: string,
  rows: readonly { readonly key: number; readonly derived: unknown; readonly teamRefs: readonly string[] }[],
): void {
  if (rows.length === 0) return;
  tx.send(sql`
    update entities e set derived = r.derived, team_refs = r."teamRefs"
    from jsonb_to_recordset(${json(rows)}::jsonb) as r(key bigint, derived jsonb, "teamRefs" text[])
    where e.org_id = ${orgId} and e.key = r.key and e.key = any(${rows.map(({ key }) => key)}::bigint[])`);
}

export function findEntitiesByKey(reader: Reader, orgId: string, keys: readonly number[]): Promise<StoredEntity[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return reader.rows(storedEntity.sql`
    select ${stored} from entities e where e.org_id = ${orgId} and e.key = any(${keys}::bigint[]) order by e.key`);
}

/** Entities of a blueprint by identifier, in no order. */
export function findEntitiesByName(
  reader: Reader,
  { orgId, blueprintKey }: { readonly orgId: string; readonly blueprintKey: number },
  identifiers: readonly string[],
): Promise<StoredEntity[]> {
  if (identifiers.length === 0) return Promise.resolve([]);
  return reader.rows(storedEntity.sql`
    select ${stored} from entities e
    where e.org_id = ${orgId} and e.key in (
      select n.key from (${selectKeys(orgId, sql`${blueprintKey}::bigint`, sql`${[...identifiers]}::text[]`)}) n)`);
}

export async function deleteEntityRows(tx: Tx, orgId: string, keys: readonly number[]): Promise<void> {
  await tx.execute(sql`
    delete from entity_relations where org_id = ${orgId}
      and (source_key = any(${keys}::bigint[]) or target_key = any(${keys}::bigint[]))`);
  await tx.execute(sql`delete from entities where org_id = ${orgId} and key = any(${keys}::bigint[])`);
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`;
}

const entityKey = row(fields('entities', 'key'));

/** The next keys of a blueprint's entities, ascending. */
export async function listKeysAfter(
  reader: Reader,
  orgId: string,
  blueprintKey: number,
  { afterKey, limit }: { readonly afterKey: number; readonly limit: number },
): Promise<number[]> {
  const rows = await reader.rows(entityKey.sql`
    select key from entities where org_id = ${orgId} and blueprint_key = ${blueprintKey} and key > ${afterKey}
    order by key limit ${limit}`);
  return rows.map(({ key }) => key);
}
