import type { MappingResult } from '@portolan/contract/webhooks';
import { mapEvent, mappingMillisecondsMax } from '@portolan/jq';
import { z } from 'zod';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { shareTime } from '../../../platform/evaluation-time.ts';
import { mapWithin } from '../../../platform/expressions.ts';
import { newId } from '../../../platform/ids.ts';
import { inBatches } from '../../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { nameSource } from '../../../platform/text-authors.ts';
import { actWith, authorityLeft, type SavedAuthority } from '../../accounts/index.ts';
import { findOrganization, isTrustedSource } from '../../organizations/index.ts';
import type { IntegrationsDeps } from '../integrations.deps.ts';
import { applyEvents, type EventPart } from './apply-events.ts';
import {
  claimDeliveries,
  type DeliveryEnd,
  finishDeliveries,
  listStranded,
  renewLease,
  returnDeliveries,
  type StoredDelivery,
  type WebhookKey,
} from './delivery.store.ts';
import type { WebhookEvent } from './read-event.ts';
import { findWebhookByKey } from './webhook.store.ts';
import type { StoredWebhook } from './webhook.ts';

const processInput = z.object({ webhookKey: z.coerce.number() });
export type ProcessJob = JobDeclaration<typeof processInput>;
type Deps = Pick<IntegrationsDeps, 'database' | 'clock' | 'unitOfWork' | 'catalog'>;
type WaitingDelivery = StoredDelivery & { readonly payload: WebhookEvent };

/** Events per claim, and the bytes of all but the first of them. */
const batch = { limit: 100, bytesMax: 4_000_000 } as const;
/** A webhook yields to others after this time. */
const turnMs = 30_000;
/** Events mapped within this time are written together. */
const sliceMs = 250;
/** Shorter than the lease of the job, so that a process that takes the job over finds the events free. */
const leaseMs = 20_000;
const renewMs = 5_000;

/**
 * Maps the events of one webhook in the order of arrival. An event may be mapped twice if its process dies, which is
 * harmless: creating merges, and deleting a missing entity is skipped.
 */
export function processDeliveriesJob(deps: Deps): ProcessJob {
  const job: ProcessJob = defineJob({
    name: 'integrations.process-deliveries',
    input: processInput,
    attempts: 10,
    timeoutMs: 240_000,
    dedupeBy: ({ webhookKey }) => String(webhookKey),
    run: async ({ webhookKey }, { orgId, signal }) => {
      const turnEnds = performance.now() + turnMs;
      while (performance.now() < turnEnds) {
        if (!(await processBatch(deps, orgId, webhookKey, signal))) return;
      }
      await deps.unitOfWork(systemActor(orgId), (work) => work.enqueue(job, { webhookKey }));
    },
  });
  return job;
}

/** False if nothing waits or another process holds the deliveries. */
async function processBatch(deps: Deps, orgId: string, webhookKey: number, signal: AbortSignal): Promise<boolean> {
  const { unitOfWork, clock } = deps;
  const system = systemActor(orgId);
  const lease = newId('lease_');
  const until = () => new Date(clock.now().getTime() + leaseMs);
  const claimed = await unitOfWork(system, ({ tx, now }) =>
    claimDeliveries(tx, orgId, webhookKey, { ...batch, lease, now, until: until() }),
  );
  if (claimed.length === 0) return false;
  const renewal = setInterval(() => {
    // the next renewal makes up for a failed one; otherwise the lease expires
    unitOfWork(system, ({ tx }) => renewLease(tx, orgId, webhookKey, lease, until())).catch(() => undefined);
  }, renewMs);
  let isDone = false;
  try {
    isDone = await processAll(deps, orgId, webhookKey, { claimed, lease, signal });
    return isDone;
  } finally {
    clearInterval(renewal);
    if (!isDone) await unitOfWork(system, ({ tx }) => returnDeliveries(tx, orgId, webhookKey, lease));
  }
}

interface Batch {
  readonly claimed: readonly WaitingDelivery[];
  readonly lease: string;
  readonly signal: AbortSignal;
}

async function processAll(
  deps: Deps,
  orgId: string,
  webhookKey: number,
  { claimed, lease, signal }: Batch,
): Promise<boolean> {
  const webhook = await findWebhookByKey(deps.database, orgId, webhookKey);
  const organization = await findOrganization(deps.database, orgId);
  if (!webhook || !organization) return false;
  const system = systemActor(orgId, organization.model);
  const authority = await authorityLeft(deps.database, orgId, webhook);
  if (!authority) {
    const ends = claimed.map(
      ({ key }): DeliveryEnd => ({ key, state: 'failed', reason: nobodyBehind(webhook), results: [] }),
    );
    return deps.unitOfWork(system, ({ tx, now }) => finishDeliveries(tx, orgId, webhookKey, ends, { lease, now }));
  }
  const trust = await findTrust(deps.database, orgId, webhook);
  for (let next = 0; next < claimed.length; ) {
    const sliceEnds = performance.now() + sliceMs;
    const events: MappedDelivery[] = [];
    do {
      signal.throwIfAborted();
      const delivery = claimed[next] as WaitingDelivery;
      const actor = { ...toActor(system, webhook, authority, delivery.id), ...trust };
      events.push({ key: delivery.key, parts: await splitParts(deps, actor, webhook, delivery) });
      next += 1;
    } while (next < claimed.length && performance.now() < sliceEnds);
    const ends = await writeAll(deps, events);
    const isOurs = await deps.unitOfWork(system, ({ tx, now }) =>
      finishDeliveries(tx, orgId, webhookKey, ends, { lease, now }),
    );
    if (!isOurs) return false;
  }
  return true;
}

/** A webhook writes with the rights of its last author, under the rules for people and machines. */
function toActor(
  { orgId, model }: Actor,
  { identifier }: StoredWebhook,
  authority: SavedAuthority,
  deliveryId: string,
): Actor {
  return actWith(authority, {
    orgId,
    model,
    id: `webhook/${identifier}`,
    datasource: `portolan-webhook/${identifier}`,
    origin: 'API',
    webhook: { identifier, deliveryId },
  });
}

/** Deliveries that nobody signs can come from anybody. */
async function findTrust(reader: Reader, orgId: string, { key, identifier, sealedSecret }: StoredWebhook) {
  const source = { kind: 'webhook', key, identifier } as const;
  const isTrusted = sealedSecret !== null && (await isTrustedSource(reader, orgId, source));
  return isTrusted ? { trustedAs: nameSource(source) } : {};
}

/** The delivery can be replayed once the webhook has been saved again. */
function nobodyBehind({ identifier, authority }: StoredWebhook): string {
  const who = authority ? `"${authority.by.id}", who saved it last,` : 'whoever saved it last';
  return `Nobody stands behind the webhook "${identifier}" any more: ${who} was removed or disabled. Somebody who may do what it does has to save it again`;
}

interface MappedDelivery {
  readonly key: number;
  readonly parts: readonly EventPart[];
}

async function splitParts(
  { clock }: Deps,
  actor: Actor,
  { definition }: StoredWebhook,
  { payload }: WaitingDelivery,
): Promise<EventPart[]> {
  const parts: EventPart[] = [];
  const context = mapWithin(shareTime(clock.now(), mappingMillisecondsMax));
  for (const [index, mapping] of (definition.mappings ?? []).entries()) {
    parts.push({ index, mapping, actor, mapped: await mapEvent(mapping, { ...payload }, context) });
  }
  return parts;
}

async function writeAll({ catalog }: Deps, events: readonly MappedDelivery[]): Promise<DeliveryEnd[]> {
  const results = await applyEvents(
    catalog,
    events.flatMap(({ parts }) => parts),
  );
  let from = 0;
  return events.map(({ key, parts }) => {
    const ofEvent = results.slice(from, from + parts.length);
    from += parts.length;
    const isFailed = ofEvent.some(({ verdict }) => verdict === 'failed' || verdict === 'partial');
    return { key, state: isFailed ? 'failed' : 'processed', reason: findReason(ofEvent), results: ofEvent };
  });
}

function findReason(results: readonly MappingResult[]): string | null {
  if (results.length === 0) return 'The webhook has no mappings';
  if (results.every(({ verdict }) => verdict === 'filtered')) return 'No mapping asks for this event';
  return results.find(({ verdict }) => verdict === 'failed' || verdict === 'partial')?.reason ?? null;
}

/** Requeues webhooks whose process died: their deliveries become free when the lease expires. Idempotent. */
export function recoverDeliveriesJob({ database, clock, unitOfWork }: Deps, process: ProcessJob): JobDeclaration {
  return defineJob({
    name: 'integrations.recover-deliveries',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 15_000,
    run: async (_input, { each }) => {
      const now = clock.now();
      const stranded = inBatches(1_000, (last: WebhookKey | undefined, limit) =>
        listStranded(database, { now, after: last, limit }),
      );
      await each(stranded, ({ orgId, webhookKey }) =>
        unitOfWork(systemActor(orgId), (work) => work.enqueue(process, { webhookKey })),
      );
    },
  });
}
