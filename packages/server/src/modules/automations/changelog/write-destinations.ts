import type { ChangelogDestinationBody } from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { dropDeliveries } from '../../journal/index.ts';
import { type Destination, deleteDestinationRow, lockDestination, putDestination } from './destination.store.ts';
import { changelogConsumer } from './interest.ts';
import { deleteReceiver } from './receiver.store.ts';

interface Deps {
  readonly unitOfWork: UnitOfWork;
}

/** Adds an address that gets everything that changes from now on. */
export function createDestination(
  { unitOfWork }: Deps,
  actor: Actor,
  body: ChangelogDestinationBody,
): Promise<Destination> {
  return unitOfWork(actor, async (work) => {
    const made = { createdAt: work.now, createdBy: actor.id };
    return stored(work, undefined, { id: newId('changelog_'), ...made, ...writtenOf(work, body) });
  });
}

/** @throws AppError `not_found` */
export function replaceDestination(
  { unitOfWork }: Deps,
  actor: Actor,
  id: string,
  body: ChangelogDestinationBody,
): Promise<Destination> {
  return unitOfWork(actor, async (work) => {
    const before = await lockDestination(work.tx, actor.orgId, id);
    if (!before) throw notFound('Changelog destination', id);
    // another address begins anew, whatever was wrong with the old one
    if (before.url !== body.url) await deleteReceiver(work.tx, { orgId: actor.orgId, target: targetOf(id) });
    return stored(work, before, { ...before, ...writtenOf(work, body) });
  });
}

/** Removes a destination with everything that was not sent yet. @throws AppError `not_found` */
export function deleteDestination({ unitOfWork }: Deps, actor: Actor, id: string): Promise<void> {
  return unitOfWork(actor, async (work) => {
    const { tx } = work;
    const before = await lockDestination(tx, actor.orgId, id);
    if (!before) throw notFound('Changelog destination', id);
    await deleteDestinationRow(tx, actor.orgId, id);
    await dropDeliveries(tx, actor.orgId, { consumer: changelogConsumer, target: targetOf(id) });
    await deleteReceiver(tx, { orgId: actor.orgId, target: targetOf(id) });
    record(work, before, undefined);
  });
}

const targetOf = (id: string): string => `organization:${id}`;

function writtenOf({ actor, now }: Work, { type, url, resources, enabled }: ChangelogDestinationBody) {
  const isEnabled = enabled ?? true;
  return { type, url, resources: resources ?? null, isEnabled, updatedAt: now, updatedBy: actor.id };
}

async function stored(work: Work, before: Destination | undefined, after: Destination): Promise<Destination> {
  await putDestination(work.tx, work.actor.orgId, after);
  record(work, before, after);
  return after;
}

function record(work: Work, before: Destination | undefined, after: Destination | undefined): void {
  const { orgId } = work.actor;
  work.record({
    event: 'organization.updated',
    action: 'UPDATE',
    resourceType: 'organization',
    identifier: orgId,
    context: { changelogDestination: (after ?? before)?.id ?? '' },
    ...(before ? { before: recorded(before) } : {}),
    ...(after ? { after: recorded(after) } : {}),
  });
}

/** Addresses of receivers often hold their password, so that only where they are is noted. */
function recorded({ id, type, url, resources, isEnabled }: Destination) {
  return { changelogDestination: { id, type, origin: new URL(url).origin, resources, enabled: isEnabled } };
}
