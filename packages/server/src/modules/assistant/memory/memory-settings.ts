import type { Actor } from '../../../platform/actor.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { deleteNotesOfUsers, putMemoryEnabled, readMemoryState } from './memory.store.ts';

export async function readMemorySettings({ database }: AssistantDeps, { orgId }: Actor) {
  const { memoryEnabled } = await readMemoryState(database, orgId, undefined);
  return { memoryEnabled };
}

/** Allows notes, or stops them for everybody; they are kept. */
export function putMemorySettings({ unitOfWork }: AssistantDeps, actor: Actor, memoryEnabled: boolean) {
  const { orgId } = actor;
  return unitOfWork(actor, async ({ tx, now, record }) => {
    const before = await readMemoryState(tx, orgId, undefined);
    await putMemoryEnabled(tx, orgId, memoryEnabled, { by: actor.id, at: now });
    record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: 'memory',
      context: {},
      before: { memoryEnabled: before.memoryEnabled },
      after: { memoryEnabled },
    });
    return { memoryEnabled };
  });
}

/** Deletes all notes of people, without reading them. */
export function deleteNotesUnread(
  { unitOfWork }: AssistantDeps,
  actor: Actor,
  people: readonly string[],
): Promise<void> {
  return unitOfWork(actor, async ({ tx, record }) => {
    const notes = await deleteNotesOfUsers(tx, actor.orgId, people);
    if (notes === 0) return;
    record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: 'memory',
      context: {},
      before: { notes, people: [...people] },
    });
  });
}
