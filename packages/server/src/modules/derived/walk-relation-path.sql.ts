import sql, { join, raw, type Sql } from 'sql-template-tag';
import { type Edge, type OpenRoute, type PathRoute, type RelationPath, type Step, teamHop } from './relation-path.ts';

/**
 * `with` clauses that walk routes in the database: one join per step, for any number of starts. The last is named
 * `ends`, with the columns `start` and `key`, and for a path `ord`, the position of the end in the order of relations.
 */
export function walkRoute(orgId: string, route: RelationPath, starts: readonly number[]): Sql {
  return route.kind === 'path' ? walkPath(orgId, route, starts) : walkOpen(orgId, route, starts);
}

function walkPath(orgId: string, { steps }: PathRoute, starts: readonly number[]): Sql {
  const first = sql`h0(start, key, ord) as (select s.key, s.key, '{}'::bigint[] from unnest(${starts}::bigint[]) as s(key))`;
  const hops = steps.map((step, index) => {
    const { from, key, position } = stepFrom(orgId, step, raw(`h${index}`));
    return sql`${raw(`h${index + 1}`)}(start, key, ord) as (
      select h.start, ${key}, h.ord || ${position} ${from})`;
  });
  const ends = sql`ends(start, key, ord) as (select * from ${raw(`h${steps.length}`)})`;
  return sql`with ${join([first, ...hops, ends], ', ')}`;
}

/** One step: the clause joining its rows to `h`, the column of the next key, and its order. */
function stepFrom(
  orgId: string,
  { relation, direction, to }: Step,
  before: Sql,
): { from: Sql; key: Sql; position: Sql } {
  if (relation === teamHop) {
    const isOut = direction === 'out';
    const from = isOut
      ? sql`from ${before} h
          join entities o on o.org_id = ${orgId} and o.key = h.key
          cross join lateral unnest(o.team_refs) with ordinality as f(reference, position)
          join teams t on t.org_id = ${orgId} and t.key = f.reference
          join entities n on n.org_id = ${orgId} and n.blueprint_key = ${to}::bigint and n.identifier = t.identifier`
      : sql`from ${before} h
          join entities o on o.org_id = ${orgId} and o.key = h.key
          join teams t on t.org_id = ${orgId} and t.identifier = o.identifier
          join entities n on n.org_id = ${orgId} and n.blueprint_key = ${to}::bigint and n.team_refs @> array[t.key]`;
    return { from, key: sql`n.key`, position: isOut ? sql`f.position` : sql`n.key` };
  }
  const edges =
    direction === 'out'
      ? sql`r.source_key = h.key and r.relation = ${relation}`
      : sql`r.target_key = h.key and r.relation = ${relation} and r.source_blueprint_key = ${to}::bigint`;
  const from = sql`from ${before} h cross join lateral (${edgesWhere(orgId, edges)}) r`;
  return direction === 'out'
    ? { from, key: sql`r.target_key`, position: sql`r.position::bigint` }
    : { from, key: sql`r.source_key`, position: sql`r.source_key` };
}

/**
 * `offset 0` keeps the look-up separate, so that it uses the index per entity. Without statistics, as during an import,
 * the planner would read all edges of a relation for every entity: 150 ms instead of 3 at 900.
 */
function edgesWhere(orgId: string, condition: Sql): Sql {
  return sql`select r.source_key, r.target_key, r.position from entity_relations r
    where r.org_id = ${orgId} and ${condition} offset 0`;
}

/** End entities as `e`, each looked up by key. */
export function entitiesAt(orgId: string, ends: Sql): Sql {
  return sql`cross join lateral (
    select x.* from entities x where x.org_id = ${orgId} and x.key = ${ends}.key offset 0) e`;
}

/** Both directions separately; a start is never its own end, even in a cycle. */
function walkOpen(orgId: string, { along, against }: OpenRoute, starts: readonly number[]): Sql {
  const first = sql`select s.key, s.key from unnest(${starts}::bigint[]) as s(key)`;
  const walks = [
    { name: 'up', edges: along, from: sql`r.source_key`, to: sql`r.target_key` },
    { name: 'down', edges: against, from: sql`r.target_key`, to: sql`r.source_key` },
  ].filter(({ edges }) => edges.length > 0);
  const ctes = walks.map(
    ({ name, edges, from, to }) => sql`${raw(name)}(start, key) as (
      ${first}
      union
      select h.start, ${to} from ${raw(name)} h
      cross join lateral (${edgesWhere(orgId, sql`${from} = h.key and ${isOneOf(edges)}`)}) r)`,
  );
  const reached = walks.map(({ name }) => sql`select start, key from ${raw(name)} where key <> start`);
  const none = sql`select 0::bigint, 0::bigint where false`;
  const ends = sql`ends(start, key) as (${reached.length > 0 ? join(reached, ' union ') : none})`;
  return sql`with recursive ${join([...ctes, ends], ', ')}`;
}

function isOneOf(edges: readonly Edge[]): Sql {
  return sql`(r.source_blueprint_key, r.relation) in (${join(
    edges.map(({ blueprintKey, relation }) => sql`(${blueprintKey}::bigint, ${relation}::text)`),
  )})`;
}

/** Starts of a path through the given entities after `position` steps, by walking backwards. */
export function startsOfPath(orgId: string, { steps }: PathRoute, position: number, keys: readonly number[]): Sql {
  const back = steps.slice(0, position).reverse().map(inverted);
  const first = sql`b0(key) as (select s.key from unnest(${keys}::bigint[]) as s(key))`;
  const hops = back.map((step, index) => {
    const { from, key } = stepFrom(orgId, step, raw(`b${index}`));
    return sql`${raw(`b${index + 1}`)}(key) as (select distinct ${key} ${from})`;
  });
  return sql`with ${join([first, ...hops], ', ')} select key from ${raw(`b${back.length}`)}`;
}

function inverted(step: Step): Step {
  return { ...step, from: step.to, to: step.from, direction: step.direction === 'out' ? 'in' : 'out' };
}

/** Starts of an open route through the given entities, including these, in one direction. */
export function startsOfOpen(
  orgId: string,
  { start, along, against }: OpenRoute,
  direction: 'along' | 'against',
  keys: readonly number[],
): Sql {
  const [edges, from, to] =
    direction === 'along'
      ? [along, sql`r.target_key`, sql`r.source_key`]
      : [against, sql`r.source_key`, sql`r.target_key`];
  const seeds = sql`select s.key from unnest(${keys}::bigint[]) as s(key)`;
  const back =
    edges.length === 0
      ? seeds
      : sql`${seeds} union select ${to} from b
          cross join lateral (${edgesWhere(orgId, sql`${from} = b.key and ${isOneOf(edges)}`)}) r`;
  return sql`with recursive b(key) as (${back})
    select e.key from b ${entitiesAt(orgId, sql`b`)} where e.blueprint_key = ${start}::bigint`;
}
