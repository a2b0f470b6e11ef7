import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { escapeLike, toSql } from '../entity-query/index.ts';
import { allOf, type ReadEntity, selectSorted, teamForm } from '../entity-rows/index.ts';
import { conditionOverAll } from './search-entities.ts';

export interface TopSearchInput {
  readonly text: string;
  /** Searches these blueprints only. */
  readonly blueprints?: readonly string[] | undefined;
  readonly limit: number;
}

const wordsMax = 10;
/** Matches that are ranked at most: the palette shows twenty, and a first letter matches everything. */
const rankedMax = 1_000;
/** Texts of properties have no index: the newest entities are looked through, which is all of them for most. */
const lookedThroughMax = 50_000;

/** The expression of the index `entities_by_words`, as it is written there. */
const words =
  raw(`(setweight(to_tsvector('simple'::regconfig, translate(coalesce(e.title, ''), '-_./:@\\=+', '         ')), 'A')
  || setweight(to_tsvector('simple'::regconfig, translate(e.identifier, '-_./:@\\=+', '         ')), 'B')
  || array_to_tsvector(array['=org:' || e.org_id]))`);

/**
 * Entities whose title or identifier hold every word, each as the beginning of one; best first. Where these are too few,
 * entities whose text properties hold every word follow.
 */
export async function topSearch(
  deps: ReadDeps,
  actor: Actor,
  { text, blueprints: only, limit }: TopSearchInput,
): Promise<{ entities: readonly ReadEntity[]; blueprints: ReadonlyMap<number, StoredBlueprint> }> {
  const everything = await conditionOverAll(deps, actor, { combinator: 'and', rules: [] });
  const sought = wordsOf(text);
  const { blueprints } = everything;
  const shown = [...blueprints.values()].filter(
    ({ identifier, definition }) =>
      definition.includeInGlobalSearch !== false &&
      identifier !== '_rule_result' &&
      (only?.includes(identifier) ?? true),
  );
  if (sought.length === 0 || shown.length === 0) return { entities: [], blueprints };
  const within = allOf([
    sql`e.blueprint_key = any(${shown.map(({ key }) => key)}::bigint[])`,
    toSql(everything.condition),
  ]);
  const named = await byName(deps, actor, within, sought, text, limit);
  if (named.length >= limit) return { entities: named, blueprints };
  const known = named.map(({ key }) => key);
  const others = await byText(deps, actor, within, sought, known, limit - named.length);
  return { entities: [...named, ...others], blueprints };
}

function byName(deps: ReadDeps, actor: Actor, within: Sql, sought: readonly string[], text: string, limit: number) {
  const query = sql`(${`'=org:${actor.orgId}'`}::tsquery && to_tsquery('simple'::regconfig, ${prefixes(sought)}))`;
  const exact = sql`(lower(e.identifier) = lower(${text}) or lower(e.title) = lower(${text}))`;
  const candidates = sql`e.key in (select e.key from entities e
    where e.org_id = ${actor.orgId} and ${words} @@ ${query} and ${within} limit ${rankedMax})`;
  return selectSorted(
    deps.database,
    actor.orgId,
    {
      condition: candidates,
      orderBy: join([sql`${exact} desc nulls last`, sql`ts_rank(${words}, ${query}) desc`, sql`e.title`, sql`e.key`]),
      values: sql`'[]'::jsonb`,
      limit,
    },
    teamForm(actor.model),
  );
}

function byText(
  deps: ReadDeps,
  actor: Actor,
  within: Sql,
  sought: readonly string[],
  known: readonly number[],
  limit: number,
) {
  const { orgId } = actor;
  const holds = sought.map((word) => sql`found.texts ilike ${`%${escapeLike(word)}%`}`);
  const condition = sql`e.key in (select found.key from (
      select e.key, (select string_agg(text.value, ' ') from jsonb_each_text(e.properties) as text) as texts
      from (select e.* from entities e where e.org_id = ${orgId} order by e.key desc limit ${lookedThroughMax}) e
      where ${within} and e.key <> all(${known}::bigint[])) found
    where ${join(holds, ' and ')} limit ${limit})`;
  const by = { condition, orderBy: sql`e.key desc`, values: sql`'[]'::jsonb`, limit };
  return selectSorted(deps.database, orgId, by, teamForm(actor.model));
}

/** Letters and digits: marks part words, as they do in the index. */
function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, wordsMax);
}

function prefixes(sought: readonly string[]): string {
  return sought.map((word) => `'${word}':*`).join(' & ');
}
