import sql, { join, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { can } from '../identity/index.ts';
import { isNarrowed, readCondition } from './read-condition.ts';

/**
 * Which records of the audit log (`journal j`) the caller may read: those about entities that are there and readable,
 * from their creation on (one that was there before under the same identifier was another); those about blueprints and
 * scorecards whose entities are readable; of everything else, what the caller did.
 */
export async function visibleRecords({ database }: { readonly database: Database }, actor: Actor): Promise<Sql> {
  const blueprints = await listBlueprintRows(database, actor.orgId);
  const readable = blueprints.filter((blueprint) => can(actor, 'read', blueprint));
  const whole = readable.filter((blueprint) => !isNarrowed(actor, blueprint)).map(({ key }) => key);
  const permitted = [
    sql`e.blueprint_key = any(${whole}::bigint[])`,
    ...readable
      .filter((blueprint) => isNarrowed(actor, blueprint))
      .map((blueprint) => sql`(e.blueprint_key = ${blueprint.key} and ${readCondition(actor, blueprint)})`),
  ];
  const names = readable.map(({ identifier }) => identifier);
  return sql`case
    when j.context ->> 'entity' is not null then exists (
      select 1 from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
      where e.org_id = j.org_id and b.identifier = j.context ->> 'blueprint' and e.identifier = j.context ->> 'entity'
        and e.created_at <= j.at and (${join(permitted, ' or ')}))
    when j.resource_type in ('blueprint', 'scorecard') then j.context ->> 'blueprint' = any(${names})
    else j.actor_id = ${actor.id} end`;
}
