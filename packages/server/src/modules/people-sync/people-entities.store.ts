import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { fields, row } from '../../platform/db/row.ts';

const entityRow = row(fields('entities', 'blueprint_key', 'key'));

/**
 * Takes the teams out of entities, and answers those that had them. Where teams are inherited, the owner loses the same
 * reference, so both columns may be cleaned at once.
 */
export function removeTeamsFromEntities(
  tx: Tx,
  orgId: string,
  keys: readonly string[],
): Promise<{ readonly blueprintKey: number; readonly key: number }[]> {
  return tx.rows(entityRow.sql`
    update entities set
      own_team_refs = array(select r from unnest(own_team_refs) with ordinality as o(r, n) where r <> all(${keys}) order by n),
      team_refs = array(select r from unnest(team_refs) with ordinality as o(r, n) where r <> all(${keys}) order by n)
    where org_id = ${orgId} and (own_team_refs && ${keys}::text[] or team_refs && ${keys}::text[])
    returning blueprint_key as "blueprintKey", key`);
}

/** Changes the identifier of a blueprint in the entities of those who moderate it. */
export async function renameModeratedInEntities(tx: Tx, orgId: string, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    update entities e set properties = jsonb_set(e.properties, '{moderated_blueprints}', (
      select jsonb_agg(case when m.value = ${json(from)}::jsonb then ${json(to)}::jsonb else m.value end
        order by m.position)
      from jsonb_array_elements(e.properties -> 'moderated_blueprints') with ordinality as m(value, position)))
    from blueprints b
    where b.org_id = ${orgId} and b.identifier = '_user' and e.org_id = b.org_id and e.blueprint_key = b.key
      and jsonb_typeof(e.properties -> 'moderated_blueprints') = 'array'
      and e.properties -> 'moderated_blueprints' ? ${from}`);
}

/** Takes a blueprint out of the entities of those who moderate it. */
export async function forgetModeratedInEntities(tx: Tx, orgId: string, identifier: string): Promise<void> {
  await tx.execute(sql`
    update entities e set properties = jsonb_set(e.properties, '{moderated_blueprints}',
      (e.properties -> 'moderated_blueprints') - ${identifier}::text)
    from blueprints b
    where b.org_id = ${orgId} and b.identifier = '_user' and e.org_id = b.org_id and e.blueprint_key = b.key
      and jsonb_typeof(e.properties -> 'moderated_blueprints') = 'array'
      and e.properties -> 'moderated_blueprints' ? ${identifier}`);
}
