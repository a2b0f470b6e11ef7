import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import type { KeyRename, StoredBlueprint } from '../blueprints/index.ts';

type Blueprint = Pick<StoredBlueprint, 'orgId' | 'key'>;

export async function hasEntities(tx: Tx, blueprint: Blueprint): Promise<boolean> {
  const rows = await tx.rows(sql`
    select 1 from entities where org_id = ${blueprint.orgId} and blueprint_key = ${blueprint.key} limit 1`);
  return rows.length > 0;
}

export async function hasRelationValues(reader: Reader, blueprint: Blueprint, relation: string): Promise<boolean> {
  const rows = await reader.rows(sql`
    select 1 from entity_relations where org_id = ${blueprint.orgId} and source_blueprint_key = ${blueprint.key}
      and relation = ${relation} limit 1`);
  return rows.length > 0;
}

export async function dropPropertyValues(tx: Tx, after: Blueprint, gone: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update entities set properties = properties - ${gone}::text[]
    where org_id = ${after.orgId} and blueprint_key = ${after.key} and properties ?| ${gone}::text[]`);
}

export async function dropRelationValues(tx: Tx, after: Blueprint, gone: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update entities set relations = relations - ${gone}::text[]
    where org_id = ${after.orgId} and blueprint_key = ${after.key} and relations ?| ${gone}::text[]`);
  await tx.execute(sql`
    delete from entity_relations
    where org_id = ${after.orgId} and source_blueprint_key = ${after.key} and relation = any(${gone})`);
}

export async function renameValues(
  tx: Tx,
  { orgId, key }: Blueprint,
  column: 'properties' | 'derived' | 'relations',
  { from, to }: KeyRename,
): Promise<void> {
  const values = raw(column);
  await tx.execute(sql`
    update entities set ${values} = jsonb_set(${values} - ${from}::text, array[${to}::text], ${values} -> ${from})
    where org_id = ${orgId} and blueprint_key = ${key} and ${values} ? ${from}`);
}

export async function renameEdges(tx: Tx, blueprint: Blueprint, { from, to }: KeyRename): Promise<void> {
  await tx.execute(sql`
    update entity_relations set relation = ${to}
    where org_id = ${blueprint.orgId} and source_blueprint_key = ${blueprint.key} and relation = ${from}`);
}
