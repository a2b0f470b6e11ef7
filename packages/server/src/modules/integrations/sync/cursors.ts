import sql from 'sql-template-tag';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { notFound } from '../../../platform/errors.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { getIntegration } from '../read-integrations.ts';

interface Deps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

/** Which cursor: of a kind, and of one of several resources of that kind. */
export interface CursorPlace {
  readonly kind?: string | undefined;
  readonly index?: string | undefined;
}
type Cursor = Readonly<Record<string, unknown>>;

/** How far the incremental sync is; null where it never was anywhere. */
export async function readCursor(
  database: Database,
  actor: Actor,
  identifier: string,
  { kind = '', index = '' }: CursorPlace,
): Promise<Cursor | null> {
  const { key } = await getIntegration(database, actor, identifier);
  const row = await database.first<{ cursor: Cursor }>(sql`
    select cursor from integration_cursors
    where org_id = ${actor.orgId} and integration_key = ${key} and kind = ${kind} and index = ${index}`);
  return row?.cursor ?? null;
}

/** Moves a cursor. @throws AppError `not_found` where there is none and `creates` is false */
export async function writeCursor(
  { database, unitOfWork }: Deps,
  actor: Actor,
  identifier: string,
  { kind = '', index = '' }: CursorPlace,
  cursor: Cursor,
  { creates }: { readonly creates: boolean },
): Promise<Cursor> {
  const { key } = await getIntegration(database, actor, identifier);
  return unitOfWork(actor, async ({ tx, now }) => {
    const changed = await tx.execute(sql`
      update integration_cursors set cursor = ${json(cursor)}, updated_at = ${now}
      where org_id = ${actor.orgId} and integration_key = ${key} and kind = ${kind} and index = ${index}`);
    if (changed === 0 && !creates) throw notFound('Cursor', kind, 'kind');
    if (changed === 0) {
      await tx.execute(sql`
        insert into integration_cursors (org_id, integration_key, kind, index, cursor, updated_at)
        values (${actor.orgId}, ${key}, ${kind}, ${index}, ${json(cursor)}, ${now})
        on conflict (org_id, integration_key, kind, index)
        do update set cursor = excluded.cursor, updated_at = excluded.updated_at`);
    }
    return cursor;
  });
}
