import sql, { join } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { hiddenValues, isNarrowed, readConditions } from '../access/index.ts';
import { listBlueprintRows, listDerivedKeys } from '../blueprints/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import type { VisibleRecords } from '../journal/index.ts';
import { can } from '../rights/index.ts';

/**
 * The audit records (`journal j`) that the caller may read: about existing readable entities, since they were created
 * or took the identifier (an earlier owner was another entity); about blueprints and scorecards with readable entities
 * likewise; otherwise the caller's own actions. Computed values show if the entity shows them.
 */
export async function visibleRecords(deps: SearchDeps, actor: Actor): Promise<VisibleRecords> {
  const blueprints = await listBlueprintRows(deps.database, actor.orgId);
  const readable = blueprints.filter((blueprint) => can(actor, 'read', blueprint));
  const whole = readable.filter((blueprint) => !isNarrowed(actor, blueprint, blueprints)).map(({ key }) => key);
  const narrowed = readable.filter((blueprint) => isNarrowed(actor, blueprint, blueprints));
  const conditionOf = await readConditions(deps, actor, narrowed);
  const permitted = [
    sql`e.blueprint_key = any(${whole}::bigint[])`,
    ...narrowed.map((blueprint) => sql`(e.blueprint_key = ${blueprint.key} and ${conditionOf(blueprint)})`),
  ];
  const names = readable.map(({ identifier }) => identifier);
  const hiddenOf = hiddenValues(actor, blueprints);
  const shown = new Map(
    readable.map((blueprint) => {
      const hidden = hiddenOf(blueprint);
      return [blueprint.identifier, new Set(listDerivedKeys(blueprint).filter((key) => !hidden.has(key)))];
    }),
  );
  const condition = sql`case
    when j.context ->> 'entity' is not null then exists (
      select 1 from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
      where e.org_id = j.org_id and b.identifier = j.context ->> 'blueprint' and e.identifier = j.context ->> 'entity'
        and e.created_at <= j.at and (${join(permitted, ' or ')}))
      and ${hadItsName} and ${blueprintHadItsName}
    when j.resource_type in ('blueprint', 'scorecard') then exists (
      select 1 from blueprints b where b.org_id = j.org_id and b.identifier = j.context ->> 'blueprint'
        and b.identifier = any(${names}) and b.created_at <= j.at)
      and ${blueprintHadItsName}
    else j.actor_id = ${actor.id} end`;
  return { condition, isShown: (blueprint, key) => shown.get(blueprint)?.has(key) ?? false };
}

/** No later rename gave the entity's identifier to another. */
const hadItsName = sql`not exists (
  select 1 from journal r where r.org_id = j.org_id and r.context ->> 'entity' = j.context ->> 'entity'
    and r.context ->> 'blueprint' = j.context ->> 'blueprint' and r.context ? 'renamedFrom'
    and (r.at, r.key) > (j.at, j.key))`;

/** The same for the blueprint. */
const blueprintHadItsName = sql`not exists (
  select 1 from journal r where r.org_id = j.org_id and r.identifier = j.context ->> 'blueprint'
    and r.resource_type = 'blueprint' and r.before ->> 'identifier' <> r.identifier and (r.at, r.key) > (j.at, j.key))`;
