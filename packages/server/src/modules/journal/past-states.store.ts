import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { Position } from './journal.store.ts';

/** An entity as a record holds it. */
export interface RecordedEntity {
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly ownTeamRefs: readonly string[];
  readonly teamRefs: readonly string[];
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly relations: Readonly<Record<string, string | readonly string[] | null>>;
}

/** The time in which an entity had a name: from its creation or renaming to the record that ended it, if any did. */
export interface NamedSpan {
  readonly blueprint: string;
  readonly name: string;
  readonly since: Date;
  readonly until: Position | undefined;
}

/**
 * Records of changes of entities, in `journal j`, of the name `w.name` of the blueprint `w.blueprint`, which is compared so
 * that no index has it: the planner would else read the records of a whole blueprint to find those of one entity.
 */
const ofName = (orgId: string): Sql => sql`
  j.org_id = ${orgId} and j.context ->> 'entity' = w.name and j.context -> 'blueprint' = to_jsonb(w.blueprint)
  and j.resource_type = 'entity' and j.status = 'SUCCESS' and j.action in ('CREATE', 'UPDATE', 'DELETE')`;

const beforeEnd = sql`(w."untilAt" is null or (j.at, j.key) < (w."untilAt", w."untilKey"))`;

function spansOf(spans: readonly NamedSpan[]): Sql {
  const until = spans.map((span) => span.until);
  return sql`unnest(${spans.map(({ blueprint }) => blueprint)}::text[], ${spans.map(({ name }) => name)}::text[],
    ${spans.map(({ since }) => since)}::timestamptz[], ${until.map((end) => end?.at ?? null)}::timestamptz[],
    ${until.map((end) => end?.key ?? null)}::bigint[])
    with ordinality as w(blueprint, name, since, "untilAt", "untilKey", place)`;
}

const newName = row({
  ...fields('journal', 'at', 'key'),
  place: computed.number,
  renamedFrom: computed.text,
  before: field('journal', 'before').as<RecordedEntity>().notNull(),
});

/** Of each span the latest renaming to its name after a moment. Spans without one have no row. */
export function findNewNames(reader: Reader, orgId: string, spans: readonly NamedSpan[], after: Date) {
  return reader.rows(newName.sql`
    select (w.place - 1)::int as place, r.at, r.key, r.context ->> 'renamedFrom' as "renamedFrom", r.before
    from ${spansOf(spans)}
    cross join lateral (
      select j.at, j.key, j.context, j.before from journal j
      where j.org_id = ${orgId} and j.context ->> 'blueprint' = w.blueprint and j.context ->> 'entity' = w.name
        and j.resource_type = 'entity' and j.status = 'SUCCESS' and j.context ->> 'renamedFrom' is not null
        and j.at > ${after} and j.at >= w.since and ${beforeEnd}
      order by j.at desc, j.key desc limit 1) r`);
}

const states = row({
  place: computed.number,
  earlierAt: computed.time.orNull(),
  earlierKey: computed.number.orNull(),
  earlierAction: computed.text.orNull(),
  earlier: computed.json.as<RecordedEntity>().orNull(),
  laterAt: computed.time.orNull(),
  laterKey: computed.number.orNull(),
  later: computed.json.as<RecordedEntity>().orNull(),
});

/**
 * Transactions on one entity commit in the order of their keys, and may have begun in another, none of them so long before
 * its commit.
 */
const overtakenWithin = sql`interval '10 minutes'`;

/**
 * Of each span the states around a moment: what the last record until then left, and what the first record afterwards
 * found. Reads two records for each, however many there are: records that overtook them are found by the columns of the index.
 */
export function selectStatesAround(reader: Reader, orgId: string, spans: readonly NamedSpan[], at: Date) {
  const within = sql`${ofName(orgId)} and j.at >= w.since and j.at <= coalesce(w."untilAt", 'infinity') and ${beforeEnd}`;
  return reader.rows(states.sql`
    select (w.place - 1)::int as place, earlier.at as "earlierAt", earlier.key as "earlierKey",
      earlier.action as "earlierAction", earlier.after as earlier,
      later.at as "laterAt", later.key as "laterKey", later.before as later
    from ${spansOf(spans)}
    left join lateral (
      select each.* from (
        select j.at, j.key, j.action, j.after from journal j
        where ${within} and j.at <= ${at} order by j.at desc, j.key desc limit 1) nearest
      cross join lateral (
        select nearest.*
        union all (
          select j.at, j.key, j.action, j.after from journal j
          where ${within} and j.at <= nearest.at and j.at >= nearest.at - ${overtakenWithin} and j.key > nearest.key
          order by j.key desc limit 1)) each
      order by each.key desc limit 1) earlier on true
    left join lateral (
      select each.* from (
        select j.at, j.key, j.before from journal j
        where ${within} and j.at > ${at} order by j.at, j.key limit 1) nearest
      cross join lateral (
        select nearest.*
        union all (
          select j.at, j.key, j.before from journal j
          where ${within} and j.at >= nearest.at and j.at <= nearest.at + ${overtakenWithin} and j.key < nearest.key
          order by j.key limit 1)) each
      order by each.key limit 1) later on true
    order by w.place`);
}

/** A name of a blueprint's entities that is looked for after a record, until a moment if one is given. */
export interface AskedName {
  readonly blueprint: string;
  readonly name: string;
  readonly after: Position;
  readonly until: Date | undefined;
}

const lostName = row({
  ...fields('journal', 'at', 'key'),
  place: computed.number,
  /** Null where the entity was deleted. */
  newName: computed.text.orNull(),
  before: field('journal', 'before').as<RecordedEntity>().notNull(),
});

/** The first record after which no entity, or another one, had the name. Names that were kept have no row. */
export function findLostNames(reader: Reader, orgId: string, asked: readonly AskedName[]) {
  return reader.rows(lostName.sql`
    select (w.place - 1)::int as place, r.at, r.key, r."newName", r.before
    from unnest(${asked.map(({ blueprint }) => blueprint)}::text[], ${asked.map(({ name }) => name)}::text[],
      ${asked.map(({ after }) => after.at)}::timestamptz[], ${asked.map(({ after }) => after.key)}::bigint[],
      ${asked.map(({ until }) => until ?? null)}::timestamptz[])
      with ordinality as w(blueprint, name, at, key, until, place)
    cross join lateral (
      select j.at, j.key, j.before, case when j.action <> 'DELETE' then j.context ->> 'entity' end as "newName"
      from journal j
      where j.org_id = ${orgId} and j.context ->> 'blueprint' = w.blueprint
        and coalesce(j.context ->> 'renamedFrom', j.context ->> 'entity') = w.name
        and j.resource_type = 'entity' and j.status = 'SUCCESS' and (j.action = 'DELETE' or j.context ->> 'renamedFrom' is not null)
        and (j.at, j.key) > (w.at, w.key) and (w.until is null or j.at <= w.until)
      order by j.at, j.key limit 1) r`);
}

const deletion = row({
  ...fields('journal', 'at', 'key'),
  before: field('journal', 'before').as<RecordedEntity>().notNull(),
});

/** Deletions of a blueprint's entities after a position, oldest first. */
export function selectDeletions(reader: Reader, orgId: string, blueprint: string, after: Position, limit: number) {
  return reader.rows(deletion.sql`
    select j.at, j.key, j.before from journal j
    where j.org_id = ${orgId} and j.context ->> 'blueprint' = ${blueprint} and j.resource_type = 'entity'
      and j.status = 'SUCCESS' and j.action = 'DELETE' and (j.at, j.key) > (${after.at}, ${after.key})
    order by j.at, j.key limit ${limit}`);
}

const named = row({ blueprint: computed.text });

/** Those of the blueprints of which an entity was deleted after a moment. */
export async function listBlueprintsWithDeletions(
  reader: Reader,
  orgId: string,
  blueprints: readonly string[],
  after: Date,
): Promise<string[]> {
  const found = await reader.rows(named.sql`
    select w.blueprint from unnest(${[...blueprints]}::text[]) as w(blueprint)
    where exists (
      select 1 from journal j
      where j.org_id = ${orgId} and j.context ->> 'blueprint' = w.blueprint and j.resource_type = 'entity'
        and j.status = 'SUCCESS' and j.action = 'DELETE' and j.at > ${after})`);
  return found.map(({ blueprint }) => blueprint);
}

const changed = row({
  ...fields('journal', 'at', 'key', 'action'),
  /** The name that the entity had before; its first where it was created. */
  name: computed.text,
  after: computed.text,
  isFirst: computed.boolean,
});

/**
 * Records of changes of a blueprint's entities after a position and until a moment, oldest first, each with whether it is
 * the first of its entity since `from`.
 */
export function selectChangesBetween(
  reader: Reader,
  orgId: string,
  blueprint: string,
  range: { readonly from: Date; readonly to: Date; readonly after: Position; readonly limit: number },
) {
  return reader.rows(changed.sql`
    select w.at, w.key, w.action, w.name, w."newName" as after,
      w.action = 'CREATE' or not exists (
        select 1 from journal j
        where ${ofName(orgId)} and j.at > ${range.from} and (j.at, j.key) < (w.at, w.key)) as "isFirst"
    from (
      select c.at, c.key, c.action, coalesce(c.context ->> 'renamedFrom', c.context ->> 'entity') as name,
        c.context ->> 'entity' as "newName", c.context ->> 'blueprint' as blueprint
      from journal c
      where c.org_id = ${orgId} and c.context ->> 'blueprint' = ${blueprint} and c.resource_type = 'entity'
        and c.status = 'SUCCESS' and c.action in ('CREATE', 'UPDATE', 'DELETE')
        and (c.at, c.key) > (${range.after.at}, ${range.after.key}) and c.at > ${range.from} and c.at <= ${range.to}
      order by c.at, c.key limit ${range.limit}) w
    order by w.at, w.key`);
}
