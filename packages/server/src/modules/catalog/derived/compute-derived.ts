import sql from 'sql-template-tag';
import { groupBy, ownValue } from '../../../platform/collections.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { findEntitiesByKey } from '../entity.store.ts';
import type { Properties, StoredEntity } from '../entity.ts';
import { followRelation } from '../relation.store.ts';
import type { CountPlan, DerivationPlan, Hop, MirrorPlan, Source } from './derivation-plan.ts';

/** What the platform computed for one entity. */
export interface Computed {
  readonly derived: Properties;
  readonly teamRefs: readonly string[];
}

/** Computes the derived values of entities of one blueprint, a statement per hop whatever their number. */
export async function computeDerived(
  tx: Tx,
  orgId: string,
  plan: DerivationPlan,
  entities: readonly StoredEntity[],
): Promise<Map<number, Computed>> {
  const derived = new Map<number, Record<string, unknown>>(entities.map(({ key }) => [key, {}]));
  for (const mirror of plan.mirrors) await mirrorInto(tx, orgId, mirror, entities, derived);
  for (const count of plan.counts) await countInto(tx, orgId, count, derived);
  const owners = plan.ownershipHops ? await inheritedTeams(tx, orgId, plan.ownershipHops, entities) : undefined;
  return new Map(
    entities.map((entity) => [
      entity.key,
      {
        derived: derived.get(entity.key) ?? {},
        teamRefs: owners ? (owners.get(entity.key) ?? []) : entity.ownTeamRefs,
      },
    ]),
  );
}

/** The ends of a path from each start, in the order of the relations. Starts that do not use the first are not asked for. */
async function walk(
  tx: Tx,
  orgId: string,
  hops: readonly Hop[],
  starts: readonly StoredEntity[],
): Promise<Map<number, number[]>> {
  const [first] = hops;
  const isUsing = ({ relations }: StoredEntity) => first !== undefined && Object.hasOwn(relations, first.relation);
  let reached = new Map<number, number[]>(starts.map((entity) => [entity.key, isUsing(entity) ? [entity.key] : []]));
  for (const { relation } of hops) {
    const frontier = [...new Set([...reached.values()].flat())];
    if (frontier.length === 0) break;
    const steps = groupBy(await followRelation(tx, orgId, relation, frontier), ({ sourceKey }) => sourceKey);
    const stepFrom = (key: number) => (steps.get(key) ?? []).map(({ targetKey }) => targetKey);
    reached = new Map([...reached].map(([start, keys]) => [start, keys.flatMap(stepFrom)]));
  }
  return reached;
}

async function mirrorInto(
  tx: Tx,
  orgId: string,
  mirror: MirrorPlan,
  starts: readonly StoredEntity[],
  into: Map<number, Record<string, unknown>>,
): Promise<void> {
  const ends = await walk(tx, orgId, mirror.hops, starts);
  const keys = [...new Set([...ends.values()].flat())];
  const targets = new Map((await findEntitiesByKey(tx, orgId, keys)).map((entity) => [entity.key, entity]));
  const isMany = mirror.hops.some((hop) => hop.many);
  const blueprint = mirror.hops.at(-1)?.to.identifier ?? '';
  for (const [start, reached] of ends) {
    const values = reached.flatMap((key) => {
      const target = targets.get(key);
      const value = target && sourceValue(target, mirror.source, blueprint);
      return value === undefined || value === null ? [] : [value];
    });
    const value = isMany ? values.flat() : values[0];
    if (value !== undefined) (into.get(start) as Record<string, unknown>)[mirror.key] = value;
  }
}

function sourceValue(entity: StoredEntity, source: Source, blueprint: string): unknown {
  if (source.kind === 'property') return ownValue(entity.properties, source.key);
  if (source.kind === 'derived') return ownValue(entity.derived, source.key);
  switch (source.name) {
    case '$identifier':
      return entity.identifier;
    case '$title':
      return entity.title;
    case '$icon':
      return entity.icon;
    case '$blueprint':
      return blueprint;
    case '$createdAt':
      return entity.createdAt.toISOString();
    case '$updatedAt':
      return entity.updatedAt.toISOString();
    case '$createdBy':
      return entity.createdBy;
    case '$updatedBy':
      return entity.updatedBy;
    default:
      return undefined;
  }
}

async function countInto(
  tx: Tx,
  orgId: string,
  count: CountPlan,
  into: Map<number, Record<string, unknown>>,
): Promise<void> {
  const keys = [...into.keys()];
  const counted = count.relations.includes('$team')
    ? await countOwned(tx, orgId, count.from.key, keys)
    : await countPointing(tx, orgId, count, keys);
  const byKey = new Map(counted.map((row) => [row.key, row.count]));
  for (const [key, values] of into) values[count.key] = byKey.get(key) ?? 0;
}

interface Counted {
  readonly key: number;
  readonly count: number;
}

function countPointing(
  tx: Tx,
  orgId: string,
  { from, relations }: CountPlan,
  keys: readonly number[],
): Promise<Counted[]> {
  return tx.rows<Counted>(sql`
    select target_key as key, count(distinct source_key)::int as count from entity_relations
    where org_id = ${orgId} and target_key = any(${keys}::bigint[]) and source_blueprint_key = ${from.key}
      and relation = any(${relations})
    group by target_key`);
}

/** Entities owned by the team that an entity of `_team` stands for. */
function countOwned(tx: Tx, orgId: string, blueprintKey: number, keys: readonly number[]): Promise<Counted[]> {
  return tx.rows<Counted>(sql`
    select team.key, count(owned.key)::int as count
    from entities team
    join teams t on t.org_id = team.org_id and t.identifier = team.identifier
    join entities owned on owned.org_id = team.org_id and owned.blueprint_key = ${blueprintKey}
      and t.key = any(owned.team_refs)
    where team.org_id = ${orgId} and team.key = any(${keys}::bigint[])
    group by team.key`);
}

async function inheritedTeams(
  tx: Tx,
  orgId: string,
  hops: readonly Hop[],
  starts: readonly StoredEntity[],
): Promise<Map<number, string[]>> {
  const ends = await walk(tx, orgId, hops, starts);
  const keys = [...new Set([...ends.values()].flat())];
  const owners =
    hops.at(-1)?.to.identifier === '_team'
      ? await teamsAt(tx, orgId, keys)
      : new Map((await findEntitiesByKey(tx, orgId, keys)).map((entity) => [entity.key, entity.teamRefs]));
  // a path without hops leads nowhere: a broken path owns nothing
  if (hops.length === 0) return new Map();
  return new Map(
    [...ends].map(([start, reached]) => [start, [...new Set(reached.flatMap((key) => owners.get(key) ?? []))]]),
  );
}

/** A path that ends at `_team` inherits the teams it ends at (users-and-teams §1.2, beta). */
async function teamsAt(tx: Tx, orgId: string, keys: readonly number[]): Promise<Map<number, readonly string[]>> {
  const rows = await tx.rows<{ key: number; team: string }>(sql`
    select e.key, t.key as team from entities e
    join teams t on t.org_id = e.org_id and t.identifier = e.identifier
    where e.org_id = ${orgId} and e.key = any(${keys}::bigint[])`);
  return new Map(rows.map(({ key, team }) => [key, [team]]));
}
