import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { getIntegration } from '../read-integrations.ts';
import { type Cursor, findCursor, insertCursor, updateCursor } from './sync.store.ts';

/** Identifies a cursor: the kind, and the index among several resources of that kind. */
export interface CursorPlace {
  readonly kind?: string | undefined;
  readonly index?: string | undefined;
}

interface Deps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

/** Position of the incremental sync; null if there is none yet. */
export async function readCursor(
  database: Database,
  actor: Actor,
  identifier: string,
  { kind = '', index = '' }: CursorPlace,
): Promise<Cursor | null> {
  const { key } = await getIntegration(database, actor, identifier);
  return (await findCursor(database, { orgId: actor.orgId, integrationKey: key, kind, index })) ?? null;
}

/** Moves a cursor. @throws AppError `not_found` if it does not exist and `creates` is false */
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
    const place = { orgId: actor.orgId, integrationKey: key, kind, index };
    if (await updateCursor(tx, place, cursor, now)) return cursor;
    if (!creates) throw notFound('Cursor', kind, 'kind');
    await insertCursor(tx, place, cursor, now);
    return cursor;
  });
}
