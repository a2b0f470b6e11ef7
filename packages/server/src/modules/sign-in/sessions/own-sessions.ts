import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { deleteSessions, listSessionRows, type SessionRow } from './session.store.ts';
import { idleMs } from './session-times.ts';

/** @throws AppError `missing_permissions` for credentials of the organization */
export function requirePerson(actor: Actor): string {
  if (actor.userId !== undefined) return actor.userId;
  throw new AppError('missing_permissions', 'Only people have sessions; these are credentials of the organization');
}

/** None for credentials of the organization. */
export async function listOwnSessions({ database, clock }: SignInDeps, actor: Actor): Promise<SessionRow[]> {
  if (actor.userId === undefined) return [];
  const now = clock.now();
  const seenAfter = new Date(now.getTime() - idleMs);
  return listSessionRows(database, actor.orgId, actor.userId, { now, seenAfter });
}

/** @throws AppError `not_found` for a session of another user */
export async function endOwnSession({ unitOfWork }: SignInDeps, actor: Actor, id: string): Promise<void> {
  const ended = await unitOfWork(actor, (work) => endSessions(work, requirePerson(actor), { only: id }));
  if (ended === 0) throw notFound('Session', id, 'id');
}

/** Keeps the current session by default; returns the number ended. */
export function endOwnSessions({ unitOfWork }: SignInDeps, actor: Actor, includesCurrent: boolean): Promise<number> {
  const except = includesCurrent ? undefined : actor.credentialId;
  return unitOfWork(actor, (work) => endSessions(work, requirePerson(actor), { except }));
}

/** Within the caller's unit of work. */
export async function endSessions(
  work: Work,
  email: string,
  which: { readonly only?: string; readonly except?: string | undefined },
): Promise<number> {
  const ended = await deleteSessions(work.tx, work.actor.orgId, email, which);
  for (const id of ended.sort()) {
    work.record({
      event: 'session.deleted',
      action: 'DELETE',
      resourceType: 'session',
      identifier: id,
      context: {},
      before: { user: email },
    });
  }
  return ended.length;
}
