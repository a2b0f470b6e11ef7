import type { Actor } from '../../../platform/actor.ts';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { countUnread, dismiss, findNoticeKey, markRead } from './notice.store.ts';
import type { NoticesDeps } from './notices.deps.ts';

/** Marks one of the caller's notices as read, and counts what is left. @throws AppError `not_found` */
export function readOne(deps: NoticesDeps, actor: Actor, id: string): Promise<number> {
  return change(deps, actor, async (tx, now) => {
    const key = await findKey(tx, actor, id);
    await markRead(tx, actor.orgId, actor.id, { from: key, to: key, now });
  });
}

/** Marks all of them as read, or those up to one. @throws AppError `not_found` */
export function readAll(deps: NoticesDeps, actor: Actor, upTo: string | undefined): Promise<number> {
  return change(deps, actor, async (tx, now) => {
    const to = upTo === undefined ? Number.MAX_SAFE_INTEGER : await findKey(tx, actor, upTo);
    if (actor.kind === 'person') await markRead(tx, actor.orgId, actor.id, { from: 0, to, now });
  });
}

/** @throws AppError `not_found` */
export function dismissOne(deps: NoticesDeps, actor: Actor, id: string): Promise<number> {
  return change(deps, actor, async (tx, now) => {
    await findKey(tx, actor, id);
    await dismiss(tx, actor.orgId, id, now);
  });
}

async function change(
  { unitOfWork, feed }: NoticesDeps,
  actor: Actor,
  body: (tx: Tx, now: Date) => Promise<void>,
): Promise<number> {
  return unitOfWork(actor, async ({ tx, now }) => {
    await body(tx, now);
    // their other windows
    feed.announce(tx, actor.orgId, [{ event: 'notice.updated', resource: 'notice', identifier: actor.id }]);
    return actor.kind === 'person' ? countUnread(tx, actor.orgId, actor.id) : 0;
  });
}

async function findKey(reader: Reader, { orgId, kind, id: user }: Actor, id: string): Promise<number> {
  const key = kind === 'person' ? await findNoticeKey(reader, orgId, user, id) : undefined;
  if (key === undefined) throw notFound('Notice', id, 'id');
  return key;
}
