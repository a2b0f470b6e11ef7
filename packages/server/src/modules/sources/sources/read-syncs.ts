import type { PlannedChange, SourceProblem } from '@portolan/contract/sources';
import type { Actor } from '../../../platform/actor.ts';
import { findSync, listProblemRows } from '../ingest/sync.store.ts';
import type { StoredSync } from '../ingest/sync.ts';
import { listChanges } from '../ingest/waiting.store.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { syncMissing } from '../syncs/start-sync.ts';
import { getStoredSource } from './read-sources.ts';
import { readableRows } from './readable-rows.ts';

type SyncDeps = Pick<SourcesDeps, 'database' | 'catalog' | 'clock'>;

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

/** What a plan would change of entities that the caller may read; what stays is not listed. */
export async function listSyncChanges(
  deps: SyncDeps,
  actor: Actor,
  sync: StoredSync,
  page: PageOf & { readonly change?: string | undefined },
): Promise<{ readonly changes: PlannedChange[]; readonly next: number | null }> {
  const rows = await listChanges(deps.database, actor.orgId, sync.key, page);
  const changes = (await readableRows(deps, actor, rows)).map(({ itemKey, position: _position, change, ...rest }) => ({
    item: itemKey,
    ...rest,
    change: change as Exclude<typeof change, 'unchanged'>,
  }));
  return { changes, next: nextOf(rows, page) };
}

/** What a sync could not do, but for entities that the caller may not read. */
export async function listSyncProblems(
  deps: SyncDeps,
  actor: Actor,
  sync: StoredSync,
  page: PageOf,
): Promise<{ readonly problems: SourceProblem[]; readonly next: number | null }> {
  const rows = await listProblemRows(deps.database, actor.orgId, sync.key, page);
  const problems = (await readableRows(deps, actor, rows)).map(({ severity, code, message, itemKey, place }) => ({
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
