import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import { momentOfEventId } from './event-id.ts';

/** A journal record. Entities in `before` and `after` name their teams by reference. */
export interface StoredRecord {
  readonly id: string;
  readonly key: number;
  readonly at: Date;
  /** Noun then past: `entity.updated`. */
  readonly event: string;
  readonly action: string;
  readonly status: 'SUCCESS' | 'FAILURE';
  readonly resourceType: string;
  readonly identifier: string;
  readonly context: Readonly<Record<string, string>>;
  readonly actorId: string;
  readonly actorKind: string;
  readonly origin: string;
  readonly datasource: string;
  readonly message: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly additionalData: Readonly<Record<string, unknown>> | null;
}

const plainColumns = `j.id, j.key, j.at, j.event, j.action, j.status, j.resource_type as "resourceType", j.identifier, j.context,
  j.actor_id as "actorId", j.actor_kind as "actorKind", j.origin, j.datasource, j.message,
  j.additional_data as "additionalData"`;
export const storedRecordColumns: Sql = raw(`${plainColumns}, j.before, j.after`);

export interface Position {
  readonly at: Date;
  readonly key: number;
}

/** Of a record `journal j`, without what was before and after. */
export const recordFields = {
  ...fields(
    'journal',
    'id',
    'key',
    'at',
    'event',
    'action',
    'status',
    'resource_type',
    'identifier',
    'actor_id',
    'actor_kind',
    'origin',
    'datasource',
    'message',
  ),
  context: field('journal', 'context').as<Readonly<Record<string, string>>>(),
  additionalData: field('journal', 'additional_data').as<Readonly<Record<string, unknown>>>(),
};
const storedRecord = row({
  ...recordFields,
  before: field('journal', 'before').as<unknown>(),
  after: field('journal', 'after').as<unknown>(),
});
const none = computed.json.as<unknown>().orNull();
const recordWithoutDiff = row({ ...recordFields, before: none, after: none });

/** Newest first; all conditions on `journal j` must hold. `isDiffWanted: false` omits the diffs. */
export function selectRecords(
  reader: Reader,
  orgId: string,
  conditions: readonly Sql[],
  page: { readonly after: Position | undefined; readonly limit: number; readonly isDiffWanted: boolean },
): Promise<StoredRecord[]> {
  const { after, limit, isDiffWanted } = page;
  const following = after ? [sql`(j.at, j.key) < (${after.at}, ${after.key})`] : [];
  const matching = sql`
    from journal j
    where ${join([sql`j.org_id = ${orgId}`, ...following, ...conditions], ' and ')}
    order by j.at desc, j.key desc limit ${limit}`;
  return isDiffWanted
    ? reader.rows(storedRecord.sql`select ${storedRecordColumns} ${matching}`)
    : reader.rows(
        recordWithoutDiff.sql`select ${raw(plainColumns)}, null::jsonb as before, null::jsonb as after ${matching}`,
      );
}

export function findRecord(reader: Reader, orgId: string, id: string): Promise<StoredRecord | undefined> {
  const at = momentOfEventId(id);
  if (!at) return Promise.resolve(undefined);
  return reader.first(storedRecord.sql`
    select ${storedRecordColumns} from journal j where j.org_id = ${orgId} and j.at = ${at} and j.id = ${id}`);
}

const orgIdRow = row({ orgId: field('organizations', 'id') });

/** Every organization records. */
export async function listRecordingOrganizations(reader: Reader): Promise<string[]> {
  const rows = await reader.rows(orgIdRow.sql`select id as "orgId" from organizations order by id`);
  return rows.map(({ orgId }) => orgId);
}

/** Oldest first; returns the number deleted. */
export function deleteRecordsBefore(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from journal where org_id = ${orgId} and key in (
      select key from journal where org_id = ${orgId} and at < ${before} order by at, key limit ${limit})`);
}

export interface TouchedEntity {
  readonly identifier: string;
  readonly blueprint: string;
  readonly action: string;
  readonly at: Date;
}

const touchedMax = 1_000;

const touchedEntity = row({
  ...fields('journal', 'action', 'at'),
  identifier: computed.text,
  blueprint: computed.text,
});

/** Entities written for a run that satisfy the condition on `journal j`, at most a thousand. */
export function listTouchedEntities(
  reader: Reader,
  orgId: string,
  runId: string,
  condition: Sql | undefined,
): Promise<TouchedEntity[]> {
  return reader.rows(touchedEntity.sql`
    select distinct on (blueprint, identifier) j.context ->> 'blueprint' as blueprint,
      j.context ->> 'entity' as identifier, j.action, j.at
    from journal j
    where j.org_id = ${orgId} and j.context ->> 'runId' = ${runId} and j.resource_type = 'entity'
      and j.status = 'SUCCESS' and j.context ->> 'entity' is not null and ${condition ?? sql`true`}
    order by blueprint, identifier, j.key desc limit ${touchedMax}`);
}

export interface RecordedTexts {
  readonly blueprint: string;
  readonly identifiers: readonly string[];
  readonly properties: readonly string[];
  readonly marker: string;
}

/** Removes properties and titles of entities from all their records; the records stay. */
export async function redactRecordedTexts(
  tx: Tx,
  orgId: string,
  { blueprint, identifiers, properties, marker }: RecordedTexts,
): Promise<void> {
  const without = (column: 'before' | 'after'): Sql => {
    const image = raw(`j.${column}`);
    return sql`
    case when jsonb_typeof(${image}) = 'object'
      then jsonb_set(${image} || ${json({ title: marker })}::jsonb, '{properties}',
        coalesce(${image} -> 'properties', '{}'::jsonb) - ${[...properties]}::text[])
      else ${image} end`;
  };
  await tx.execute(sql`
    update journal j set before = ${without('before')}, after = ${without('after')}
    where j.org_id = ${orgId} and j.resource_type = 'entity' and j.context ->> 'blueprint' = ${blueprint}
      and j.context ->> 'entity' = any(${[...identifiers]}::text[])`);
}

/** The records of a name that are about the entity that has it now. */
export interface NamedRecords {
  readonly blueprint: string;
  readonly entity: string;
  /** When the entity was created. */
  readonly since: Date;
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

const position = row({ at: computed.time, key: computed.number });

/**
 * Successful records of an entity, newest first, under the name that it and its blueprint have now: earlier records under
 * the same names are about others.
 */
export async function listRecordsOfEntity(
  reader: Reader,
  orgId: string,
  { blueprint, entity, since, from, to, limit }: NamedRecords,
): Promise<StoredRecord[]> {
  const named = sql`j.context ->> 'entity' = ${entity} and j.context ->> 'blueprint' = ${blueprint}`;
  const starts = await reader.rows(position.sql`
    (select j.at, j.key from journal j
      where j.org_id = ${orgId} and ${named} and j.context ? 'renamedFrom' order by j.at desc, j.key desc limit 1)
    union all
    (select j.at, j.key from journal j
      where j.org_id = ${orgId} and j.identifier = ${blueprint} and j.resource_type = 'blueprint'
        and j.before ->> 'identifier' <> j.identifier order by j.at desc, j.key desc limit 1)`);
  return selectRecords(
    reader,
    orgId,
    [
      named,
      sql`j.resource_type = 'entity' and j.status = 'SUCCESS'`,
      sql`j.at >= ${since} and j.at >= ${from} and j.at <= ${to}`,
      ...starts.map(({ at, key }) => sql`(j.at, j.key) >= (${at}, ${key})`),
    ],
    { after: undefined, limit, isDiffWanted: true },
  );
}
