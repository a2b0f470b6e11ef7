import type { Source } from '@portolan/contract/sources';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { type AppError, notFound } from '../../../platform/errors.ts';
import { listSyncRows } from '../ingest/sync.store.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { presentSource } from './present-source.ts';
import { countEntities, findSource, listSourceRows } from './source.store.ts';
import type { StoredSource } from './source.ts';
import { assertMayReadSources } from './source-rights.ts';

export async function listSources(deps: SourcesDeps, actor: Actor): Promise<Source[]> {
  assertMayReadSources(actor);
  const sources = await listSourceRows(deps.database, actor.orgId);
  return Promise.all(sources.map((source) => presentWithSyncs(deps, actor, source)));
}

/** @throws AppError `not_found`, `missing_permissions` */
export async function getSource(deps: SourcesDeps, actor: Actor, identifier: string): Promise<Source> {
  return presentWithSyncs(deps, actor, await getStoredSource(deps.database, actor, identifier));
}

/** @throws AppError `not_found`, `missing_permissions` */
export async function getStoredSource(reader: Reader, actor: Actor, identifier: string): Promise<StoredSource> {
  const source = await findSource(reader, actor.orgId, identifier);
  if (source?.createdBy !== actor.id) assertMayReadSources(actor);
  if (!source) throw sourceMissing(identifier);
  return source;
}

export function sourceMissing(identifier: string): AppError {
  return notFound('Source', identifier.slice(0, 200));
}

export async function presentWithSyncs(
  { database, clock, publicUrl }: SourcesDeps,
  actor: Actor,
  source: StoredSource,
): Promise<Source> {
  const syncs = await listSyncRows(database, actor.orgId, { sourceKey: source.key, limit: 20 });
  const counted = await countEntities(database, actor.orgId);
  const entities = Object.fromEntries(
    counted.filter(({ sourceKey }) => sourceKey === source.key).map(({ blueprint, count }) => [blueprint, count]),
  );
  const last = syncs.find(({ isPlan }) => !isPlan);
  return presentSource(source, actor, { last, entities, now: clock.now(), publicUrl: publicUrl() });
}
