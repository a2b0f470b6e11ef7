import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { forgetModerated, renameModerated } from '../accounts/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';

/** People who moderate a renamed blueprint moderate it still, as users and as entities of `_user`. */
export async function followModerators(
  tx: Tx,
  from: string,
  { orgId, identifier: to }: StoredBlueprint,
): Promise<void> {
  await renameModerated(tx, orgId, from, to);
  await tx.execute(sql`
    update entities e set properties = jsonb_set(e.properties, '{moderated_blueprints}', (
      select jsonb_agg(case when m.value = to_jsonb(${from}::text) then to_jsonb(${to}::text) else m.value end
        order by m.position)
      from jsonb_array_elements(e.properties -> 'moderated_blueprints') with ordinality as m(value, position)))
    from blueprints b
    where b.org_id = ${orgId} and b.identifier = '_user' and e.org_id = b.org_id and e.blueprint_key = b.key
      and jsonb_typeof(e.properties -> 'moderated_blueprints') = 'array'
      and e.properties -> 'moderated_blueprints' ? ${from}`);
}

/** A blueprint that is gone is moderated by nobody, as users and as entities of `_user`. */
export async function forgetModerators(tx: Tx, { orgId, identifier }: StoredBlueprint): Promise<void> {
  await forgetModerated(tx, orgId, identifier);
  await tx.execute(sql`
    update entities e set properties = jsonb_set(e.properties, '{moderated_blueprints}',
      (e.properties -> 'moderated_blueprints') - ${identifier}::text)
    from blueprints b
    where b.org_id = ${orgId} and b.identifier = '_user' and e.org_id = b.org_id and e.blueprint_key = b.key
      and jsonb_typeof(e.properties -> 'moderated_blueprints') = 'array'
      and e.properties -> 'moderated_blueprints' ? ${identifier}`);
}
