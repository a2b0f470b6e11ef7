import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import {
  type EntityKeeper,
  forgetResultTarget,
  propertiesOf,
  relationsOf,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { followBlueprint } from '../derived/index.ts';
import { followModerators, forgetModerators } from '../people-sync/index.ts';
import { reevaluateIfScored } from '../scorecard-changes/index.ts';
import { dropOwnValues, dropScorecardRows } from '../scorecard-rules/index.ts';
import { reflectScorecards } from '../scorecards/index.ts';
import { tendAfterChange } from '../search/index.ts';
import { renameEntityKey } from './rename-key.ts';

/** The catalog's part when a blueprint changes or goes. */
export function createEntityKeeper(): EntityKeeper {
  const keeper: EntityKeeper = {
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
    adapt: async (work, before, after) => {
      const { tx } = work;
      await dropProperties(tx, before, after);
      await dropRelations(tx, before, after);
      if (before.identifier !== after.identifier) {
        await followModerators(tx, before.identifier, after);
        await reflectScorecards(work, after);
      }
      // what only the derived values change, they evaluate themselves
      await reevaluateIfScored(work, after);
      await followBlueprint(work, before);
      await tendAfterChange(work, after);
    },
    renameKey: async (work, blueprint, rename) => {
      await renameEntityKey(work, blueprint, rename);
      await tendAfterChange(work, blueprint);
    },
    forget: async (work, blueprint) => {
      await forgetModerators(work.tx, blueprint);
      await dropScorecardRows(work.tx, blueprint.orgId, blueprint.key);
      await reflectScorecards(work, blueprint);
      await forgetResultTarget(keeper, work, blueprint);
    },
  };
  return keeper;
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
  if (after.identifier === '_scorecard') await dropOwnValues(tx, after.orgId, gone);
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
