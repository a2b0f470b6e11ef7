import sql, { join, type Sql } from 'sql-template-tag';
import { groupBy } from '../../platform/collections.ts';
import type { Reader } from '../../platform/db/database.ts';
import { momentOfText } from '../../platform/db/moment.sql.ts';
import { computed, row } from '../../platform/db/row.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import {
  type CompileContext,
  compileQuery,
  finishTally,
  statistics,
  type Tally,
  toStatistic,
} from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import type { AggregationNode, MirrorNode, OwnershipNode, RoutedNode } from './derived-node.ts';
import { recordFanOut } from './large-fan-outs.ts';
import type { ByIdentifier } from './relation-path.ts';
import { entitiesAt, walkRoute } from './walk-relation-path.sql.ts';

/** Where and when values are read. */
export interface ReadingContext {
  readonly orgId: string;
  readonly now: Date;
  /** How values name teams. */
  readonly teamForm: 'identifier' | 'title';
  /** How queries of aggregations name teams. */
  readonly ruleTeamForm: 'identifier' | 'title';
  readonly blueprints: ByIdentifier;
}

/** Values by entity key; absent without a value. */
export type ValuesByEntity = ReadonlyMap<number, unknown>;

/** Values of nodes with the same route, for some entities: one statement each for mirrors, owners and aggregations. */
export async function readInputs(
  reader: Reader,
  context: ReadingContext,
  nodes: readonly RoutedNode[],
  starts: readonly number[],
): Promise<Map<string, ValuesByEntity>> {
  const mirrors = nodes.filter((node) => node.kind === 'mirror');
  const aggregations = nodes.filter((node) => node.kind === 'aggregation');
  const owners = nodes.filter((node) => node.kind === 'ownership');
  return new Map([
    ...(mirrors.length > 0 ? await readMirrors(reader, context, mirrors, starts) : []),
    ...(aggregations.length > 0 ? await readAggregations(reader, context, aggregations, starts) : []),
    ...(owners[0] ? await readOwners(reader, context, owners[0], starts) : []),
  ]);
}

/** The value at a route that leads nowhere. */
export function emptyValue(node: RoutedNode): unknown {
  if (node.kind === 'aggregation') return finishTally(node.spec, undefined);
  return node.kind === 'ownership' || node.isMany ? [] : null;
}

type Entry = readonly [string, ValuesByEntity];

const startRow = row({ start: computed.number, found: computed.json.as<unknown[]>() });

async function readMirrors(
  reader: Reader,
  context: ReadingContext,
  nodes: readonly MirrorNode[],
  starts: readonly number[],
): Promise<Entry[]> {
  const { route } = nodes[0] as MirrorNode;
  const values = nodes.map((node) => mirrored(node, context));
  const rows = await reader.rows(startRow.sql`
    ${walkRoute(context.orgId, route, starts)}
    select ends.start, jsonb_build_array(${join(values)}) as found
    from ends ${entitiesAt(context.orgId, sql`ends`)}
    order by ends.start, ends.ord`);
  const byStart = groupBy(rows, ({ start }) => start);
  return nodes.map((node, index) => {
    const of = (start: number): unknown => {
      const found = (byStart.get(start) ?? []).map((row) => row.found[index]).filter((value) => value !== null);
      return node.isMany ? found.flat() : (found[0] ?? null);
    };
    return [node.id, new Map(starts.map((start) => [start, of(start)]))] as const;
  });
}

const isoText = (column: Sql): Sql =>
  sql`to_jsonb(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const metaValues: Readonly<Record<string, Sql>> = {
  $identifier: sql`to_jsonb(e.identifier)`,
  $title: sql`to_jsonb(e.title)`,
  $icon: sql`to_jsonb(e.icon)`,
  $createdAt: isoText(sql`e.created_at`),
  $updatedAt: isoText(sql`e.updated_at`),
  $createdBy: sql`to_jsonb(e.created_by)`,
  $updatedBy: sql`to_jsonb(e.updated_by)`,
};

/** A value of an entity `e` by name; null if there is none. */
function mirrored({ source, route }: MirrorNode, { orgId, teamForm }: ReadingContext): Sql {
  if (source === '$blueprint') return sql`to_jsonb(${route.end.identifier}::text)`;
  if (source === '$team') return teamNames(orgId, teamForm);
  if (source.startsWith('$')) return metaValues[source] ?? sql`null::jsonb`;
  return namedValue(source);
}

function namedValue(name: string): Sql {
  return sql`coalesce(e.properties -> ${name}, e.derived -> ${name})`;
}

function teamNames(orgId: string, form: 'identifier' | 'title'): Sql {
  const name = form === 'identifier' ? sql`t.identifier` : sql`t.title`;
  return sql`(select coalesce(jsonb_agg(coalesce(${name}, substr(f.reference, 2)) order by f.position), '[]'::jsonb)
    from unnest(e.team_refs) with ordinality as f(reference, position)
    left join teams t on t.org_id = ${orgId} and t.key = f.reference
    where t.key is not null or f.reference like '?%')`;
}

const ownersRow = row({ start: computed.number, refs: computed.texts });

async function readOwners(
  reader: Reader,
  { orgId }: ReadingContext,
  node: OwnershipNode,
  starts: readonly number[],
): Promise<Entry[]> {
  // a path that ends at `_team` inherits the teams it ends at (users-and-teams §1.2, beta)
  const references =
    node.route.end.identifier === '_team'
      ? sql`array(select t.key from teams t where t.org_id = ${orgId} and t.identifier = e.identifier)`
      : sql`e.team_refs`;
  const rows = await reader.rows(ownersRow.sql`
    ${walkRoute(orgId, node.route, starts)}
    select ends.start, ${references} as refs from ends ${entitiesAt(orgId, sql`ends`)}
    order by ends.start, ends.ord`);
  const byStart = groupBy(rows, ({ start }) => start);
  const of = (start: number) => [...new Set((byStart.get(start) ?? []).flatMap(({ refs }) => refs))];
  return [[node.id, new Map(starts.map((start) => [start, of(start)]))]];
}

const endRow = row({ start: computed.number, ends: computed.number, tallies: computed.json.as<Tally[]>() });

async function readAggregations(
  reader: Reader,
  context: ReadingContext,
  nodes: readonly AggregationNode[],
  starts: readonly number[],
): Promise<Entry[]> {
  const { orgId } = context;
  const { route } = nodes[0] as AggregationNode;
  const tallies = nodes.map((node) => compileTally(node, context));
  const rows = await reader.rows(endRow.sql`
    ${walkRoute(orgId, route, starts)}
    select d.start, count(*)::int as ends, jsonb_build_array(${join(tallies)}) as tallies
    from (select distinct start, key from ends) d ${entitiesAt(orgId, sql`d`)}
    where e.blueprint_key = ${route.end.key}::bigint
    group by d.start`);
  recordFanOut(orgId, route, rows);
  const byStart = new Map(rows.map((row) => [row.start, row.tallies]));
  return nodes.map((node, index) => {
    const of = (start: number) => finishTally(node.spec, byStart.get(start)?.[index]);
    return [node.id, new Map(starts.map((start) => [start, of(start)]))] as const;
  });
}

/** One aggregation over the entities `e` of a group, as JSON. */
function compileTally({ spec, route }: AggregationNode, context: ReadingContext): Sql {
  const conditions: Sql[] = [];
  if (spec.query) conditions.push(compileQuery(spec.query, filterContext(route.end, context)));
  let value = sql`null::numeric`;
  if (spec.property !== undefined) {
    const found = namedValue(spec.property);
    value = sql`(case when jsonb_typeof(${found}) = 'number' then (${found})::text::numeric end)`;
    conditions.push(sql`${value} is not null`);
  }
  let moments = sql`'from', null, 'to', null`;
  if (spec.periodMs !== undefined) {
    const moment = compileMoment(spec.measureTimeBy);
    conditions.push(sql`${moment} is not null`);
    moments = sql`'from', (extract(epoch from min(${moment}) filter (where ${allOf(conditions)})) * 1000)::double precision,
      'to', (extract(epoch from max(${moment}) filter (where ${allOf(conditions)})) * 1000)::double precision`;
  }
  const only = sql`filter (where ${allOf(conditions)})`;
  const statistic = spec.property === undefined ? undefined : toStatistic(spec);
  const computed = statistic ? sql`${statistics[statistic](value)} ${only}` : sql`null`;
  return sql`jsonb_build_object('n', count(*) ${only}, 'value', ${computed}, ${moments})`;
}

/** Without a caller: "me" is empty in queries. */
function filterContext(
  blueprint: StoredBlueprint,
  { orgId, now, ruleTeamForm, blueprints }: ReadingContext,
): CompileContext {
  return { orgId, now, teamForm: ruleTeamForm, blueprint, blueprints, teamKeys: [] };
}

function compileMoment(name: string): Sql {
  if (name === '$createdAt') return sql`e.created_at`;
  if (name === '$updatedAt') return sql`e.updated_at`;
  return sql`(${momentOfText(sql`(${namedValue(name)} #>> '{}')`)})`;
}
