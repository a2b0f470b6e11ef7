import { isDeepStrictEqual } from 'node:util';
import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { type EntityKeeper, propertiesOf, relationsOf, type StoredBlueprint } from '../blueprints/index.ts';
import { loadPlans } from './derived/load-plans.ts';
import { refreshDerived } from './derived/refresh-derived.ts';

/** The catalog's part when a blueprint changes or goes. */
export function createEntityKeeper(): EntityKeeper {
  return {
    hasEntities: (tx, blueprint) =>
      exists(
        tx,
        sql`
      select 1 from entities where org_id = ${blueprint.orgId} and blueprint_key = ${blueprint.key} limit 1`,
      ),
    hasRelationValues: (tx, blueprint, relation) =>
      exists(
        tx,
        sql`
      select 1 from entity_relations where org_id = ${blueprint.orgId} and source_blueprint_key = ${blueprint.key}
        and relation = ${relation} limit 1`,
      ),
    adapt: async ({ tx, actor }, before, after) => {
      await dropProperties(tx, before, after);
      await dropRelations(tx, before, after);
      if (mayDeriveOtherwise(before, after)) await refreshAll(tx, actor.orgId, after);
    },
  };
}

async function exists(tx: Tx, statement: Sql): Promise<boolean> {
  return (await tx.rows(statement)).length > 0;
}

/** Values of a property that was removed are gone: adding it again starts empty (Terraform changes types this way). */
async function dropProperties(tx: Tx, before: StoredBlueprint, after: StoredBlueprint): Promise<void> {
  const gone = Object.keys(propertiesOf(before)).filter((key) => !Object.hasOwn(propertiesOf(after), key));
  if (gone.length === 0) return;
  await tx.execute(sql`
    update entities set properties = properties - ${gone}::text[]
    where org_id = ${after.orgId} and blueprint_key = ${after.key} and properties ?| ${gone}::text[]`);
}

async function dropRelations(tx: Tx, before: StoredBlueprint, after: StoredBlueprint): Promise<void> {
  const gone = Object.keys(relationsOf(before)).filter((key) => !Object.hasOwn(relationsOf(after), key));
  if (gone.length === 0) return;
  await tx.execute(sql`
    update entities set relations = relations - ${gone}::text[]
    where org_id = ${after.orgId} and blueprint_key = ${after.key} and relations ?| ${gone}::text[]`);
  await tx.execute(sql`
    delete from entity_relations
    where org_id = ${after.orgId} and source_blueprint_key = ${after.key} and relation = any(${gone})`);
}

function mayDeriveOtherwise(before: StoredBlueprint, after: StoredBlueprint): boolean {
  const partsOf = ({ identifier, definition }: StoredBlueprint) => [
    identifier,
    Object.keys(definition.schema.properties),
    definition.relations,
    definition.mirrorProperties,
    definition.calculationProperties,
    definition.aggregationProperties,
    definition.ownership,
    definition.teamInheritance,
  ];
  return !isDeepStrictEqual(partsOf(before), partsOf(after));
}

/** What is derived may be defined anew, here or where a path passes this blueprint. */
async function refreshAll(tx: Tx, orgId: string, blueprint: StoredBlueprint): Promise<void> {
  const rows = await tx.rows<{ key: number }>(sql`
    select key from entities where org_id = ${orgId} and blueprint_key = ${blueprint.key} order by key`);
  if (rows.length === 0) return;
  const plans = await loadPlans(tx, orgId);
  await refreshDerived(tx, orgId, plans, [{ blueprintKey: blueprint.key, keys: rows.map(({ key }) => key) }], {
    evenWithoutPlan: true,
  });
}
