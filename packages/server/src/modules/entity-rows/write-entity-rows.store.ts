import sql, { raw } from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import type { JsonTexts } from '../../platform/db/json.ts';
import { computed, fields, row } from '../../platform/db/row.ts';
import { storedColumns, storedEntity } from './entity.store.ts';
import type { StoredEntity } from './entity.ts';

/** The columns that a write decides. */
export type EntityRow = Pick<
  StoredEntity,
  'identifier' | 'title' | 'icon' | 'properties' | 'relations' | 'ownTeamRefs' | 'teamRefs'
>;

export interface WriteStamp {
  readonly orgId: string;
  readonly blueprintKey: number;
  readonly at: Date;
  readonly by: string;
  readonly datasource: string;
  /** Who wrote the texts of the rows. */
  readonly authors: readonly string[];
}

export interface WritingOptions {
  readonly texts: JsonTexts;
  /** Returns rows as stored, with keys of objects in the database's order; otherwise as written. */
  readonly isReadBack: boolean;
}

const recordset = raw(`(key bigint, identifier text, title text, icon text, properties jsonb, relations jsonb,
  derived jsonb, "ownTeamRefs" text[], "teamRefs" text[], "changesText" boolean)`);

/** Inserts new entities in one statement. Rows whose identifier was taken meanwhile are missing from the result. */
export async function insertEntities(
  tx: Tx,
  writing: WriteStamp,
  rows: readonly EntityRow[],
  { texts, isReadBack }: WritingOptions,
): Promise<StoredEntity[]> {
  if (rows.length === 0) return [];
  const { orgId, blueprintKey, at, by, datasource, authors } = writing;
  const insertion = sql`
    insert into entities as e (org_id, blueprint_key, identifier, title, icon, properties, relations,
      own_team_refs, team_refs, datasource, seen_at, created_at, created_by, updated_at, updated_by, text_authors)
    select ${orgId}, ${blueprintKey}::bigint, r.identifier, r.title, r.icon, r.properties, r.relations,
      r."ownTeamRefs", r."teamRefs", ${datasource}, ${at}::timestamptz, ${at}::timestamptz, ${by}, ${at}::timestamptz,
      ${by}, ${[...authors]}::text[]
    from jsonb_to_recordset(${rowsText(rows, texts)}::jsonb) as r${recordset}
    on conflict (org_id, blueprint_key, identifier) do nothing`;
  if (isReadBack) return tx.rows(storedEntity.sql`${insertion} returning ${storedColumns}`);
  const inserted = await tx.rows(insertedEntity.sql`${insertion} returning e.key, e.identifier`);
  const keys = new Map(inserted.map(({ identifier, key }) => [identifier, key]));
  return rows.flatMap((row) => {
    const key = keys.get(row.identifier);
    return key === undefined ? [] : [newEntity(writing, row, key)];
  });
}

const insertedEntity = row(fields('entities', 'key', 'identifier'));

function newEntity({ blueprintKey, at, by }: WriteStamp, row: EntityRow, key: number): StoredEntity {
  const written = { version: 1, createdAt: at, createdBy: by, updatedAt: at, updatedBy: by };
  return { key, blueprintKey, ...row, derived: {}, scorecards: {}, ...written };
}

/** New entities as `insertKeyed` stores them, with keys of their own in the order of the rows. */
export async function keyEntities(tx: Tx, writing: WriteStamp, rows: readonly EntityRow[]): Promise<StoredEntity[]> {
  if (rows.length === 0) return [];
  const keys = await tx.rows(reservedKey.sql`
    select nextval(pg_get_serial_sequence('entities', 'key')) as key from generate_series(1, ${rows.length}::int)`);
  return rows.map((row, index) => newEntity(writing, row, keys[index]?.key as number));
}

const reservedKey = row({ key: computed.number });

/** Inserts entities of `keyEntities` with what was computed since; resolves to how many identifiers were not taken. */
export function insertKeyed(
  tx: Tx,
  { orgId, blueprintKey, at, by, datasource, authors }: WriteStamp,
  entities: readonly StoredEntity[],
  texts: JsonTexts,
): Promise<number> {
  const rows = rowsText(entities, texts, ({ key, derived }) => ({ key, derived }));
  return tx.execute(sql`
    insert into entities (org_id, blueprint_key, key, identifier, title, icon, properties, relations, derived,
      own_team_refs, team_refs, datasource, seen_at, created_at, created_by, updated_at, updated_by, text_authors)
    overriding system value
    select ${orgId}, ${blueprintKey}::bigint, r.key, r.identifier, r.title, r.icon, r.properties, r.relations, r.derived,
      r."ownTeamRefs", r."teamRefs", ${datasource}, ${at}::timestamptz, ${at}::timestamptz, ${by}, ${at}::timestamptz,
      ${by}, ${[...authors]}::text[]
    from jsonb_to_recordset(${rows}::jsonb) as r${recordset}
    on conflict (org_id, blueprint_key, identifier) do nothing`);
}

/** A held entity with its new state. */
export interface RowChange {
  readonly before: StoredEntity;
  readonly row: EntityRow;
  /** Whether a text changed, so that its writer is one of the authors. */
  readonly changesText: boolean;
}

/** Updates entities in one statement; the list of keys keeps the plan from reading the whole organization. */
export async function updateEntities(
  tx: Tx,
  { orgId, at, by, datasource, authors }: WriteStamp,
  changes: readonly RowChange[],
  { texts, isReadBack }: WritingOptions,
): Promise<StoredEntity[]> {
  if (changes.length === 0) return [];
  const keys = changes.map(({ before }) => before.key);
  const rows = rowsText(
    changes.map(({ row }) => row),
    texts,
    (_row, index) => ({ key: keys[index], changesText: changes[index]?.changesText }),
  );
  const statement = sql`
    update entities e set identifier = r.identifier, title = r.title, icon = r.icon, properties = r.properties,
      relations = r.relations, own_team_refs = r."ownTeamRefs", team_refs = r."teamRefs",
      version = e.version + 1, datasource = ${datasource}, seen_at = ${at}, updated_at = ${at}, updated_by = ${by},
      text_authors = case when r."changesText" then merge_text_authors(e.text_authors, ${[...authors]}::text[])
        else e.text_authors end
    from jsonb_to_recordset(${rows}::jsonb) as r${recordset}
    where e.org_id = ${orgId} and e.key = r.key and e.key = any(${keys}::bigint[])`;
  if (isReadBack) return tx.rows(storedEntity.sql`${statement} returning ${storedColumns}`);
  // a taken identifier must be found here; nothing else can fail for held rows
  if (changes.some(({ before, row }) => before.identifier !== row.identifier)) await tx.execute(statement);
  else tx.send(statement);
  return changes.map(({ before, row }) => ({
    key: before.key,
    blueprintKey: before.blueprintKey,
    ...row,
    derived: before.derived,
    scorecards: before.scorecards,
    version: before.version + 1,
    createdAt: before.createdAt,
    createdBy: before.createdBy,
    updatedAt: at,
    updatedBy: by,
  }));
}

/** The rows as a JSON array, each with what `more` adds; properties and relations are the cached texts. */
function rowsText<Row extends EntityRow>(
  rows: readonly Row[],
  texts: JsonTexts,
  more: (row: Row, index: number) => object = () => ({}),
): string {
  const items = rows.map((row, index) => {
    const { identifier, title, icon, ownTeamRefs, teamRefs } = row;
    const head = JSON.stringify({ identifier, title, icon, ownTeamRefs, teamRefs, ...more(row, index) });
    return `${head.slice(0, -1)},"properties":${texts.of(row.properties)},"relations":${texts.of(row.relations)}}`;
  });
  return `[${items.join(',')}]`;
}

/** Confirmed without a change: only the datasource and the hidden seen-time move. */
export function touchEntities(tx: Tx, writing: WriteStamp, keys: readonly number[]): void {
  if (keys.length === 0) return;
  tx.send(sql`
    update entities set datasource = ${writing.datasource}, seen_at = ${writing.at}
    where org_id = ${writing.orgId} and key = any(${keys}::bigint[])`);
}
