import { isDeepStrictEqual } from 'node:util';
import type { ChangelogDestinationBody } from '@portolan/contract/changelog-destinations';
import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { MessageBroker } from '../../../platform/messages/message-broker.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { authorityWhenSaved, saveAuthority } from '../../accounts/index.ts';
import { dropDeliveries } from '../../journal/index.ts';
import { type Destination, deleteDestinationRow, lockDestination, putDestination } from './destination.store.ts';
import { changelogConsumer } from './interest.sql.ts';
import { deleteReceiver } from './receiver.store.ts';

interface Deps {
  readonly unitOfWork: UnitOfWork;
  readonly broker: MessageBroker | undefined;
}

/**
 * Creates a destination, which receives changes from now on.
 * @throws AppError `invalid_request` for a broker if the installation has none
 */
export async function createDestination(
  { unitOfWork, broker }: Deps,
  actor: Actor,
  body: ChangelogDestinationBody,
): Promise<Destination> {
  assertReachable(body, broker);
  return unitOfWork(actor, async (work) => {
    const made = { createdAt: work.now, createdBy: actor.id, authority: saveAuthority(actor) };
    return stored(work, undefined, { id: newId('changelog_'), ...made, ...toDestinationRow(work, body) });
  });
}

/** @throws AppError `not_found`; `invalid_request` as above */
export async function replaceDestination(
  { unitOfWork, broker }: Deps,
  actor: Actor,
  id: string,
  body: ChangelogDestinationBody,
): Promise<Destination> {
  assertReachable(body, broker);
  return unitOfWork(actor, async (work) => {
    const before = await lockDestination(work.tx, actor.orgId, id);
    if (!before) throw notFound('Changelog destination', id);
    // a new address starts without the failures of the old one
    if (before.url !== destinationUrl(body))
      await deleteReceiver(work.tx, { orgId: actor.orgId, target: organizationTarget(id) });
    const after = { ...before, ...toDestinationRow(work, body) };
    const { authority, isMore } = await authorityWhenSaved(work, before);
    // an unchanged destination saved by a user with fewer rights keeps its authority
    const isSame = isDeepStrictEqual(recorded(after), recorded(before)) && after.url === before.url;
    return stored(work, before, { ...after, authority: isSame && !isMore ? before.authority : authority });
  });
}

/** Deletes pending events too. @throws AppError `not_found` */
export function deleteDestination({ unitOfWork }: Pick<Deps, 'unitOfWork'>, actor: Actor, id: string): Promise<void> {
  return unitOfWork(actor, async (work) => {
    const { tx } = work;
    const before = await lockDestination(tx, actor.orgId, id);
    if (!before) throw notFound('Changelog destination', id);
    await deleteDestinationRow(tx, actor.orgId, id);
    await dropDeliveries(tx, actor.orgId, { consumer: changelogConsumer, target: organizationTarget(id) });
    await deleteReceiver(tx, { orgId: actor.orgId, target: organizationTarget(id) });
    record(work, before, undefined);
  });
}

const organizationTarget = (id: string): string => `organization:${id}`;

function assertReachable({ type }: ChangelogDestinationBody, broker: MessageBroker | undefined): void {
  if (type !== 'KAFKA' || broker) return;
  const message = 'needs a message broker: the operator sets PORTOLAN_KAFKA_BROKERS to the addresses of one';
  throw invalidRequest([{ path: '/type', message }]);
}

const destinationUrl = (body: ChangelogDestinationBody): string | null => (body.type === 'KAFKA' ? null : body.url);

function toDestinationRow({ actor, now }: Work, body: ChangelogDestinationBody) {
  const { type, resources, enabled } = body;
  const isEnabled = enabled ?? true;
  return {
    type,
    url: destinationUrl(body),
    resources: resources ?? null,
    isEnabled,
    updatedAt: now,
    updatedBy: actor.id,
  };
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

/** Receivers' addresses often contain a password, so only the host is recorded. */
function recorded({ id, type, url, resources, isEnabled }: Destination) {
  const origin = url === null ? {} : { origin: new URL(url).origin };
  return { changelogDestination: { id, type, ...origin, resources, enabled: isEnabled } };
}
