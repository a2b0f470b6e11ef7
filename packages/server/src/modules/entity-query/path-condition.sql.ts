import type { PathHop, PathRef } from '@portolan/contract/search-values';
import sql, { type Sql } from 'sql-template-tag';
import { ownValue } from '../../platform/collections.ts';
import { blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';
import type { CompileContext } from './compile-context.ts';
import type { Condition } from './condition.sql.ts';
import { readableKey, readableRow } from './related-to.sql.ts';

/**
 * Entities at one end of a path whose other end has one of the identifiers (catalog semantics §3.6). Without
 * `fromBlueprint` the path starts at the searched entity; with it, at the named entities. False if the path does not
 * exist.
 */
export function pathCondition(path: PathRef, identifiers: readonly string[], context: CompileContext): Condition {
  if (identifiers.length === 0) return false;
  const { blueprint, blueprints } = context;
  const first = path.fromBlueprint === undefined ? blueprint : blueprints?.get(path.fromBlueprint);
  if (!first || !blueprint) return false;
  const ends = pathEnds(first, path.path, context);
  if (path.fromBlueprint === undefined) {
    if (ends.length === 0) return false;
    const last = named(ends, identifiers, context);
    const backwards = [...path.path].reverse();
    const starts = backwards.reduce<Sql>(
      (to, hop, index) => step(to, hop, index === backwards.length - 1, 'back', context),
      last,
    );
    return sql`e.key in (${starts})`;
  }
  if (!ends.some(({ key }) => key === blueprint.key)) return false;
  const start = named([first], identifiers, context);
  const reached = path.path.reduce<Sql>((from, hop, index) => step(from, hop, index === 0, 'forth', context), start);
  return sql`e.key in (${reached})`;
}

/** Blueprints a path can end at; none if it does not exist. */
function pathEnds(first: StoredBlueprint, path: readonly PathHop[], context: CompileContext): StoredBlueprint[] {
  let at = new Set([first]);
  for (const [index, hop] of path.entries()) {
    if (typeof hop === 'string') {
      at = relationTargets(at, hop, context);
      continue;
    }
    const reached = new Set(index === 0 ? [] : at);
    for (let hops = 1; hops <= hop.maxHops; hops += 1) {
      const size = reached.size;
      at = relationTargets(at, hop.relation, context);
      for (const each of at) reached.add(each);
      if (reached.size === size && hops > 1) break;
    }
    // a missing relation is an error, not a hop that is skipped
    if (at.size === 0 && reached.size === 0) return [];
    at = reached;
  }
  return [...at];
}

function relationTargets(from: ReadonlySet<StoredBlueprint>, relation: string, { blueprints }: CompileContext) {
  const targets = [...from].flatMap((blueprint) => {
    const target = relation === '$team' ? '_team' : ownValue(blueprintRelations(blueprint), relation)?.target;
    return (target !== undefined && blueprints?.get(target)) || [];
  });
  return new Set(targets);
}

function named(ends: readonly StoredBlueprint[], identifiers: readonly string[], context: CompileContext): Sql {
  const keys = ends.map(({ key }) => key);
  return sql`select e.key from entities e where e.org_id = ${context.orgId} and e.blueprint_key = any(${keys}::bigint[])
    and e.identifier = any(${identifiers}::text[])${readableRow(context)}`;
}

/** Keys one hop further, along a relation or back. A hop with `maxHops` that is not the first may be skipped. */
function step(from: Sql, hop: PathHop, isFirst: boolean, way: 'forth' | 'back', context: CompileContext): Sql {
  if (typeof hop === 'string') return single(from, hop, way, context);
  const { orgId } = context;
  const [near, far] = way === 'forth' ? [sql`r.source_key`, sql`r.target_key`] : [sql`r.target_key`, sql`r.source_key`];
  return sql`(with recursive walk(key, depth) as (
    select starts.key, 0 from (${from}) as starts(key)
    union
    select ${far}, walk.depth + 1 from walk
    join entity_relations r on r.org_id = ${orgId} and r.relation = ${hop.relation} and ${near} = walk.key
    where walk.depth < ${hop.maxHops}${readableKey(context, far)}
  ) select key from walk where depth >= ${isFirst ? 1 : 0})`;
}

function single(from: Sql, relation: string, way: 'forth' | 'back', context: CompileContext): Sql {
  const { orgId } = context;
  if (relation === '$team') return way === 'forth' ? owningTeams(from, context) : ownedBy(from, context);
  const [near, far] = way === 'forth' ? [sql`r.source_key`, sql`r.target_key`] : [sql`r.target_key`, sql`r.source_key`];
  return sql`(select ${far} from entity_relations r where r.org_id = ${orgId} and r.relation = ${relation}
    and ${near} in (${from})${readableKey(context, far)})`;
}

/** From entities to the `_team` entities of their teams. */
function owningTeams(from: Sql, context: CompileContext): Sql {
  const { orgId } = context;
  const teams = context.blueprints?.get('_team')?.key ?? 0;
  return sql`(select e.key from entities e join teams t on t.org_id = e.org_id and t.identifier = e.identifier
    where e.org_id = ${orgId} and e.blueprint_key = ${teams}${readableRow(context)} and t.key in (
      select unnest(o.team_refs) from entities o where o.org_id = ${orgId} and o.key in (${from})))`;
}

/** From `_team` entities to the entities they own. */
function ownedBy(from: Sql, context: CompileContext): Sql {
  const { orgId } = context;
  return sql`(select e.key from entities e where e.org_id = ${orgId}${readableRow(context)} and e.team_refs && array(
      select t.key from teams t join entities o on o.org_id = t.org_id and o.identifier = t.identifier
      where t.org_id = ${orgId} and o.key in (${from})))`;
}
