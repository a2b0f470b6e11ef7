import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { fields, type RowOf, row } from '../../platform/db/row.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';

interface Named {
  readonly blueprint?: string | undefined;
  readonly entity?: string | undefined;
}

/** Those of the named entities that satisfy one of the conditions on `entities e`. */
export function findPermitted(
  reader: Reader,
  orgId: string,
  named: readonly Named[],
  permitted: readonly Sql[],
): Promise<{ readonly blueprint: string; readonly entity: string }[]> {
  return reader.rows<{ blueprint: string; entity: string }>(sql`
    select c.blueprint, c.entity
    from unnest(${named.map(({ blueprint = '' }) => blueprint)}::text[],
      ${named.map(({ entity = '' }) => entity)}::text[]) as c(blueprint, entity)
    join blueprints b on b.org_id = ${orgId} and b.identifier = c.blueprint
    join entities e on e.org_id = b.org_id and e.blueprint_key = b.key and e.identifier = c.entity
    where (${join([...permitted], ' or ')})`);
}

const entityIdentifier = row(fields('entities', 'identifier'));

/** Identifiers of entities of a blueprint that satisfy a condition. */
export async function listIdentifiers(
  reader: Reader,
  { orgId, key }: StoredBlueprint,
  condition: Sql,
): Promise<string[]> {
  const rows = await reader.rows(entityIdentifier.sql`
    select e.identifier from entities e
    where e.org_id = ${orgId} and e.blueprint_key = ${key} and ${condition}`);
  return rows.map(({ identifier }) => identifier);
}

export interface Match {
  readonly identifier: string;
  readonly title: string | null;
}

const entityRow = row(fields('entities', 'identifier', 'title'));

/** The first entities that satisfy a condition, in the order they were created. */
export function listMatches(reader: Reader, orgId: string, condition: Sql, limit: number): Promise<Match[]> {
  return reader.rows(entityRow.sql`
    select e.identifier, e.title from entities e where e.org_id = ${orgId} and ${condition}
    order by e.key limit ${limit}`);
}

const labelRow = row(fields('entities', 'key', 'blueprint_key', 'identifier', 'title', 'icon'));

/** Entities by key that satisfy one of the conditions. */
export function findLabelsByKey(
  reader: Reader,
  orgId: string,
  keys: readonly number[],
  permitted: readonly Sql[],
): Promise<RowOf<typeof labelRow>[]> {
  return reader.rows(labelRow.sql`
    select e.key, e.blueprint_key as "blueprintKey", e.identifier, e.title, e.icon from entities e
    where e.org_id = ${orgId} and e.key = any(${keys}::bigint[]) and (${join([...permitted], ' or ')})`);
}

/** The same by name within their blueprints. */
export function findLabelsByName(
  reader: Reader,
  orgId: string,
  named: readonly { readonly blueprintKey: number; readonly identifier: string }[],
  permitted: readonly Sql[],
): Promise<RowOf<typeof labelRow>[]> {
  return reader.rows(labelRow.sql`
    select e.key, e.blueprint_key as "blueprintKey", e.identifier, e.title, e.icon
    from unnest(${named.map(({ blueprintKey }) => blueprintKey)}::bigint[],
      ${named.map(({ identifier }) => identifier)}::text[]) as n(blueprint_key, identifier)
    join entities e on e.org_id = ${orgId} and e.blueprint_key = n.blueprint_key and e.identifier = n.identifier
    where (${join([...permitted], ' or ')})`);
}
