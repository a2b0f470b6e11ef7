import type { PlannedChange, SourceProblem } from '@portolan/contract/sources';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { findSync, listProblemRows } from '../ingest/sync.store.ts';
import type { StoredSync } from '../ingest/sync.ts';
import { listChanges } from '../ingest/waiting.store.ts';
import { syncMissing } from '../syncs/start-sync.ts';
import { getStoredSource } from './read-sources.ts';

interface SyncDeps {
  readonly database: Database;
}

interface PageOf {
  readonly after: number;
  readonly limit: number;
}

/** @throws AppError `not_found`, `missing_permissions` */
export async function getSync(
  { database }: SyncDeps,
  actor: Actor,
  identifier: string,
  id: string,
): Promise<StoredSync> {
  const source = await getStoredSource(database, actor, identifier);
  const sync = await findSync(database, actor.orgId, id);
  if (sync?.sourceKey !== source.key) throw syncMissing(id);
  return sync;
}

/** What a plan would change; what stays is not listed. */
export async function listSyncChanges(
  { database }: SyncDeps,
  actor: Actor,
  sync: StoredSync,
  page: PageOf & { readonly change?: string | undefined },
): Promise<{ readonly changes: PlannedChange[]; readonly next: number | null }> {
  const rows = await listChanges(database, actor.orgId, sync.key, page);
  const changes = rows.map(({ itemKey, position: _position, change, ...rest }) => ({
    item: itemKey,
    ...rest,
    change: change as Exclude<typeof change, 'unchanged'>,
  }));
  return { changes, next: nextOf(rows, page) };
}

/** What a sync could not do. */
export async function listSyncProblems(
  { database }: SyncDeps,
  actor: Actor,
  sync: StoredSync,
  page: PageOf,
): Promise<{ readonly problems: SourceProblem[]; readonly next: number | null }> {
  const rows = await listProblemRows(database, actor.orgId, sync.key, page);
  const problems = rows.map(({ severity, code, message, itemKey, place }) => ({
    severity,
    code,
    message,
    item: itemKey,
    place,
  }));
  return { problems, next: nextOf(rows, page) };
}

function nextOf(rows: readonly { readonly position: number }[], { limit }: PageOf): number | null {
  return rows.length === limit ? (rows.at(-1)?.position ?? null) : null;
}
