import sql, { join } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { hiddenValues, isNarrowed, readConditions } from '../access/index.ts';
import { derivedKeysOf, listBlueprintRows } from '../blueprints/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import { can } from '../identity/index.ts';
import type { VisibleRecords } from '../journal/index.ts';

/**
 * Which records of the audit log (`journal j`) the caller may read: those about entities that are there and readable,
 * from when they came to be or took the identifier (what had it before was another); the same of blueprints and
 * scorecards whose entities are readable; of everything else, what the caller did. Of computed values those show that
 * the entity would show too.
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
      return [blueprint.identifier, new Set(derivedKeysOf(blueprint).filter((key) => !hidden.has(key)))];
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

/** Nothing has taken the entity's identifier by a rename since. */
const hadItsName = sql`not exists (
  select 1 from journal r where r.org_id = j.org_id and r.context ->> 'entity' = j.context ->> 'entity'
    and r.context ->> 'blueprint' = j.context ->> 'blueprint' and r.context ? 'renamedFrom'
    and (r.at, r.key) > (j.at, j.key))`;

/** Nor the blueprint's. */
const blueprintHadItsName = sql`not exists (
  select 1 from journal r where r.org_id = j.org_id and r.identifier = j.context ->> 'blueprint'
    and r.resource_type = 'blueprint' and r.before ->> 'identifier' <> r.identifier and (r.at, r.key) > (j.at, j.key))`;
