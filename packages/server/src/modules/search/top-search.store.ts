import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { escapeLike } from '../entity-query/index.ts';
import { type ReadEntity, selectSorted, teamForm } from '../entity-rows/index.ts';

/** Matches that are ranked at most: the palette shows twenty, and a first letter matches everything. */
const rankedMax = 1_000;
/** Texts of properties have no index: the newest entities are looked through, which is all of them for most. */
const lookedThroughMax = 50_000;

/** The expression of the index `entities_by_words`, as it is written there. */
const indexedWords =
  raw(`(setweight(to_tsvector('simple'::regconfig, translate(coalesce(e.title, ''), '-_./:@\\=+', '         ')), 'A')
  || setweight(to_tsvector('simple'::regconfig, translate(e.identifier, '-_./:@\\=+', '         ')), 'B')
  || array_to_tsvector(array['=org:' || e.org_id]))`);

/** Entities whose title or identifier hold every word; best first. */
export function selectNamed(
  reader: Reader,
  actor: Actor,
  within: Sql,
  sought: { readonly words: readonly string[]; readonly text: string; readonly limit: number },
): Promise<ReadEntity[]> {
  const { text, limit } = sought;
  const query = sql`(${`'=org:${actor.orgId}'`}::tsquery && to_tsquery('simple'::regconfig, ${prefixes(sought.words)}))`;
  const exact = sql`(lower(e.identifier) = lower(${text}) or lower(e.title) = lower(${text}))`;
  const candidates = sql`e.key in (select e.key from entities e
    where e.org_id = ${actor.orgId} and ${indexedWords} @@ ${query} and ${within} limit ${rankedMax})`;
  return selectSorted(
    reader,
    actor.orgId,
    {
      condition: candidates,
      orderBy: join([
        sql`${exact} desc nulls last`,
        sql`ts_rank(${indexedWords}, ${query}) desc`,
        sql`e.title`,
        sql`e.key`,
      ]),
      values: sql`'[]'::jsonb`,
      limit,
    },
    teamForm(actor.model),
  );
}

/** Other entities whose text properties hold every word; the newest first. */
export function selectHolding(
  reader: Reader,
  actor: Actor,
  within: Sql,
  sought: { readonly words: readonly string[]; readonly known: readonly number[]; readonly limit: number },
): Promise<ReadEntity[]> {
  const { orgId } = actor;
  const { known, limit } = sought;
  const holds = sought.words.map((word) => sql`found.texts ilike ${`%${escapeLike(word)}%`}`);
  const condition = sql`e.key in (select found.key from (
      select e.key, (select string_agg(text.value, ' ') from jsonb_each_text(e.properties) as text) as texts
      from (select e.* from entities e where e.org_id = ${orgId} order by e.key desc limit ${lookedThroughMax}) e
      where ${within} and e.key <> all(${known}::bigint[])) found
    where ${join(holds, ' and ')} limit ${limit})`;
  const by = { condition, orderBy: sql`e.key desc`, values: sql`'[]'::jsonb`, limit };
  return selectSorted(reader, orgId, by, teamForm(actor.model));
}

function prefixes(sought: readonly string[]): string {
  return sought.map((word) => `'${word}':*`).join(' & ');
}
