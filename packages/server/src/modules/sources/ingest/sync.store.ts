import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, row } from '../../../platform/db/row.ts';
import type { StoredSync, SyncProblem } from './sync.ts';

const storedSync = row({
  ...fields(
    'source_syncs',
    'key',
    'id',
    'source_key',
    'is_plan',
    'lines',
    'chunks',
    'is_whole',
    'note',
    'started_at',
    'touched_at',
    'ended_at',
    'created_by',
  ),
  mode: field('source_syncs', 'mode').as<StoredSync['mode']>(),
  status: field('source_syncs', 'status').as<StoredSync['status']>(),
  options: field('source_syncs', 'options').as<StoredSync['options']>(),
  counts: field('source_syncs', 'counts').as<StoredSync['counts']>(),
  cursor: field('source_syncs', 'cursor').as<NonNullable<StoredSync['cursor']>>(),
  nextState: field('source_syncs', 'next_state').as<NonNullable<StoredSync['nextState']>>(),
  problem: field('source_syncs', 'problem').as<NonNullable<StoredSync['problem']>>(),
});

const columns =
  raw(`s.key, s.id, s.source_key as "sourceKey", s.mode, s.is_plan as "isPlan", s.status, s.options, s.lines,
  s.chunks, s.counts, s.cursor, s.next_state as "nextState", s.is_whole as "isWhole", s.note, s.problem,
  s.started_at as "startedAt", s.touched_at as "touchedAt", s.ended_at as "endedAt", s.created_by as "createdBy"`);

export function findSync(reader: Reader, orgId: string, id: string): Promise<StoredSync | undefined> {
  return reader.first(storedSync.sql`
    select ${columns} from source_syncs s where s.org_id = ${orgId} and s.id = ${id}`);
}

export function findSyncByKey(reader: Reader, orgId: string, key: number): Promise<StoredSync | undefined> {
  return reader.first(storedSync.sql`
    select ${columns} from source_syncs s where s.org_id = ${orgId} and s.key = ${key}`);
}

/** Locks the sync for a change until the transaction ends. */
export function lockSync(tx: Tx, orgId: string, key: number): Promise<StoredSync | undefined> {
  return tx.first(storedSync.sql`
    select ${columns} from source_syncs s where s.org_id = ${orgId} and s.key = ${key} for no key update`);
}

/** The last syncs, newest first: of one source, or with `isImport` imports of all. */
export function listSyncRows(
  reader: Reader,
  orgId: string,
  filter: {
    readonly sourceKey?: number | undefined;
    readonly isImport?: boolean;
    readonly by?: string | undefined;
    readonly limit: number;
  },
): Promise<StoredSync[]> {
  const { sourceKey, isImport = false, by, limit } = filter;
  return reader.rows(storedSync.sql`
    select ${columns} from source_syncs s
    where s.org_id = ${orgId} and (${sourceKey ?? null}::bigint is null or s.source_key = ${sourceKey ?? null})
      and (not ${isImport}::boolean or s.mode = 'import') and (${by ?? null}::text is null or s.created_by = ${by ?? null})
    order by s.key desc limit ${limit}`);
}

/** The one that has not ended, if any. */
export function findOpenSync(reader: Reader, orgId: string, sourceKey: number): Promise<StoredSync | undefined> {
  return reader.first(storedSync.sql`
    select ${columns} from source_syncs s
    where s.org_id = ${orgId} and s.source_key = ${sourceKey} and s.ended_at is null order by s.key limit 1`);
}

const untouchedSync = row({
  ...fields('source_syncs', 'org_id', 'key', 'source_key'),
  mode: field('source_syncs', 'mode').as<StoredSync['mode']>(),
});

/** Open syncs of sources, of all organizations, on which nobody has worked since a moment. */
export function listUntouchedSyncs(
  reader: Reader,
  {
    since,
    after,
    limit,
  }: {
    readonly since: Date;
    readonly after: { readonly orgId: string; readonly key: number } | undefined;
    readonly limit: number;
  },
) {
  return reader.rows(untouchedSync.sql`
    select s.org_id as "orgId", s.key, s.source_key as "sourceKey", s.mode from source_syncs s
    where s.ended_at is null and s.touched_at < ${since} and s.mode <> 'import'
      and (s.org_id, s.key) > (${after?.orgId ?? ''}, ${after?.key ?? 0})
    order by s.org_id, s.key limit ${limit} /* all organizations */`);
}

export type NewSync = Pick<
  StoredSync,
  'id' | 'sourceKey' | 'mode' | 'isPlan' | 'status' | 'options' | 'counts' | 'startedAt' | 'createdBy'
>;

export async function insertSync(tx: Tx, orgId: string, sync: NewSync): Promise<StoredSync> {
  const inserted = await tx.first(storedSync.sql`
    insert into source_syncs as s (org_id, id, source_key, mode, is_plan, status, options, counts, started_at, touched_at,
      created_by)
    values (${orgId}, ${sync.id}, ${sync.sourceKey}, ${sync.mode}, ${sync.isPlan}, ${sync.status}, ${json(sync.options)},
      ${json(sync.counts)}, ${sync.startedAt}, ${sync.startedAt}, ${sync.createdBy})
    returning ${columns}`);
  return inserted as StoredSync;
}

/** Writes everything about a sync that changes while it goes on. */
export async function updateSync(tx: Tx, orgId: string, now: StoredSync): Promise<void> {
  await tx.execute(sql`
    update source_syncs set status = ${now.status}, lines = ${now.lines}, chunks = ${now.chunks},
      counts = ${json(now.counts)}, cursor = ${nullable(now.cursor)}, next_state = ${nullable(now.nextState)},
      is_whole = ${now.isWhole}, note = ${now.note}, problem = ${nullable(now.problem)}, touched_at = ${now.touchedAt},
      ended_at = ${now.endedAt}
    where org_id = ${orgId} and key = ${now.key}`);
}

/** Serializes null as SQL null, not as JSON null. */
function nullable(value: unknown): string | null {
  return value === null ? null : json(value);
}

export async function insertProblems(
  tx: Tx,
  orgId: string,
  syncKey: number,
  problems: readonly SyncProblem[],
): Promise<void> {
  if (problems.length === 0) return;
  const rows = problems.map((each) => ({ ...each, message: each.message.slice(0, 2_000), place: each.place ?? null }));
  await tx.execute(sql`
    insert into source_problems (org_id, sync_key, severity, code, message, line, item_key, blueprint, identifier, place)
    select ${orgId}, ${syncKey}, r.severity, r.code, r.message, r.line, r."itemKey", r.blueprint, r.identifier, r.place
    from jsonb_to_recordset(${json(rows)}::jsonb) as r(severity text, code text, message text, line int, "itemKey" text,
      blueprint text, identifier text, place jsonb)`);
}

const storedProblem = row({
  ...fields('source_problems', 'position', 'code', 'message', 'line', 'item_key', 'blueprint', 'identifier'),
  severity: field('source_problems', 'severity').as<SyncProblem['severity']>(),
  place: field('source_problems', 'place').as<NonNullable<NonNullable<SyncProblem['place']>>>(),
});

const problemColumns = sql`position, severity, code, message, line, item_key as "itemKey", blueprint, identifier, place`;

/** Problems of a sync in the order in which they came up, after a position. */
export function listProblemRows(
  reader: Reader,
  orgId: string,
  syncKey: number,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  return reader.rows(storedProblem.sql`
    select ${problemColumns} from source_problems
    where org_id = ${orgId} and sync_key = ${syncKey} and position > ${after} order by position limit ${limit}`);
}

/** Refused lines in their order, after a line. */
export function listRefusedLines(
  reader: Reader,
  orgId: string,
  syncKey: number,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  return reader.rows(storedProblem.sql`
    select ${problemColumns} from source_problems
    where org_id = ${orgId} and sync_key = ${syncKey} and line > ${after}
    order by line, position limit ${limit}`);
}
