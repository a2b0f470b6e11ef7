import type { Actor } from '../../../platform/actor.ts';
import { newId } from '../../../platform/ids.ts';
import type { NodesDeps } from '../nodes/nodes.deps.ts';
import { insertNotices, trimNotices, type WrittenNotice } from './notice.store.ts';

/** How many a person keeps; the oldest goes first. */
const keptPerPerson = 200;

const textMax = 4000;

/**
 * Tells people in the portal, each once for the step however often it is repeated. Nothing goes into the audit log: the
 * run holds whom its step told.
 */
export async function tellPeople(
  deps: Pick<NodesDeps, 'unitOfWork' | 'feed'>,
  actor: Actor,
  users: readonly string[],
  told: Omit<WrittenNotice, 'createdAt'>,
): Promise<void> {
  const { orgId } = actor;
  const people = users.map((user) => ({ user, id: newId('ntc_') }));
  await deps.unitOfWork(actor, async ({ tx, now }) => {
    const body = told.body.length > textMax ? `${told.body.slice(0, textMax - 1)}…` : told.body;
    const keys = await insertNotices(tx, orgId, people, { ...told, body, createdAt: now });
    if (keys.length === 0) return;
    await trimNotices(tx, orgId, keys, keptPerPerson);
    deps.feed.announce(
      tx,
      orgId,
      users.map((identifier) => ({ event: 'notice.created', resource: 'notice', identifier })),
    );
  });
}
