import type { Reader } from '../../platform/db/database.ts';
import { computed, row } from '../../platform/db/row.ts';
import { outside } from '../../platform/text-authors.ts';
import type { TextReach } from '../derived/index.ts';

export interface EntityTexts {
  readonly key: number;
  readonly blueprint: string;
  readonly identifier: string;
  readonly authors: readonly string[];
}

const textsRow = row({
  key: computed.number,
  blueprint: computed.text,
  identifier: computed.text,
  authors: computed.json.as<string[]>(),
});

/**
 * The authors of everything that entities show: their own texts, those of entities that they reach, because their
 * identifiers and mirrored values are shown, and those of their blueprints and scorecards. Rows from before authors were
 * kept are anybody's.
 */
export function listEntityTexts(
  reader: Reader,
  orgId: string,
  keys: readonly number[],
  { hops, showsOtherWords, teams }: TextReach,
): Promise<EntityTexts[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return reader.rows(textsRow.sql`
    with recursive shown(root, key, hop) as (
      select k, k, 0 from unnest(${keys}::bigint[]) as k
      union
      select s.root, n.key, s.hop + 1 from shown s cross join lateral (
        select r.target_key as key from entity_relations r where r.org_id = ${orgId} and r.source_key = s.key
        union all
        select n.key from entities o
        join teams t on t.org_id = ${orgId} and t.key = any(o.team_refs)
        join entities n on n.org_id = ${orgId} and n.blueprint_key = ${teams ?? null}::bigint and n.identifier = t.identifier
        where ${teams ?? null}::bigint is not null and o.org_id = ${orgId} and o.key = s.key) n
      where s.hop < ${hops}::int),
    texts(root, author) as (
      select s.root, a from (select distinct root, key from shown) s
      join entities e on e.org_id = ${orgId} and e.key = s.key, unnest(coalesce(e.text_authors, '{outside}')) a
      union
      select s.root, a from shown s join entities e on e.org_id = ${orgId} and e.key = s.key
        join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key,
        unnest(coalesce(b.text_authors, '{outside}')) a
      where s.hop = 0 or ${showsOtherWords}
      union
      select e.key, a from entities e join scorecards c on c.org_id = e.org_id and c.blueprint_key = e.blueprint_key,
        unnest(coalesce(c.text_authors, '{outside}')) a
      where e.org_id = ${orgId} and e.key = any(${keys}::bigint[]) and e.scorecards <> '{}')
    select e.key, b.identifier as blueprint, e.identifier, to_json(array_agg(t.author order by t.author)) as authors
    from texts t join entities e on e.org_id = ${orgId} and e.key = t.root
    join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
    group by e.key, b.identifier, e.identifier`);
}

const authorsRow = row({ authors: computed.json.as<string[]>() });

/** Who wrote the texts of one entity; anybody, if nobody knows. */
export async function findEntityAuthors(
  reader: Reader,
  orgId: string,
  blueprint: string,
  identifier: string,
): Promise<readonly string[]> {
  const found = await reader.first(authorsRow.sql`
    select to_json(coalesce(e.text_authors, '{outside}')) as authors from entities e
    join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
    where e.org_id = ${orgId} and b.identifier = ${blueprint} and e.identifier = ${identifier}`);
  return found?.authors ?? [outside];
}

const nameRow = row({ identifier: computed.text, title: computed.text.orNull() });

/** Entities of a blueprint whose identifier or title is one of these, whatever the case of ASCII letters. */
export function listEntitiesCalled(
  reader: Reader,
  orgId: string,
  blueprint: string,
  { names, limit }: { readonly names: readonly string[]; readonly limit: number },
): Promise<{ readonly identifier: string; readonly title: string | null }[]> {
  return reader.rows(nameRow.sql`
    select e.identifier, e.title from entities e
    join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
    where e.org_id = ${orgId} and b.identifier = ${blueprint}
      and (lower(e.identifier) = any(${names}::text[]) or lower(e.title) = any(${names}::text[]))
    order by e.key limit ${limit}`);
}
