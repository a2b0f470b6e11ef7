import { systemActor } from '../../../platform/actor.ts';
import { coversAuthority } from '../../../platform/authority.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { BrokerFailure, type Message } from '../../../platform/messages/message-broker.ts';
import { OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import { createSecretScope, type SecretScope } from '../../../platform/secrets/secret-scope.ts';
import { authorityLeft, teamNames } from '../../accounts/index.ts';
import {
  type Delivery,
  dropDeliveries,
  listDeliveries,
  type StoredRecord,
  takeDeliveries,
  teamReferencesIn,
} from '../../journal/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import type { AutomationsDeps } from '../automations.deps.ts';
import { brokerMessage, changelogMessage, type MessageFacts } from './changelog-message.ts';
import { type Address, findAddress } from './destination.store.ts';
import { changelogConsumer } from './interest.sql.ts';
import { claimReceiver, deleteReceiver, releaseReceiver } from './receiver.store.ts';

const batchSize = 10;
const answerMs = 10_000;
/** Must exceed the longest batch. */
const busyMs = 150_000;
const backoffMsMax = 300_000;
/** Undelivered events are dropped after this. */
const keptMs = 3 * 86_400_000;
/** Concurrent receivers per process. */
const receiversMax = 64;
/** The receiver rejected the event for good; later events are not held up. */
const refusals = [400, 413, 415, 422];

/**
 * Sends events in order per receiver, receivers independent of one another. A dead receiver costs one slot here for
 * its timeout, ever less often, and never a worker.
 */
export interface ChangelogSender {
  /** Starts sending a target's events unless already in progress. */
  start(orgId: string, target: string): void;
  /** Resolves when no send is in progress. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function createChangelogSender(deps: AutomationsDeps): ChangelogSender {
  const sending = new Map<string, { isAskedAgain: boolean; readonly ended: Promise<void> }>();
  const stopping = new AbortController();
  const settled = async (): Promise<void> => {
    while (sending.size > 0) await Promise.all([...sending.values()].map(({ ended }) => ended));
  };
  return {
    start(orgId, target) {
      const name = `${orgId}/${target}`;
      const current = sending.get(name);
      if (current) current.isAskedAgain = true;
      // the schedule starts those above the limit
      if (current || sending.size >= receiversMax || stopping.signal.aborted) return;
      const mine = { isAskedAgain: true, ended: Promise.resolve() };
      const run = async (): Promise<void> => {
        while (mine.isAskedAgain && !stopping.signal.aborted) {
          mine.isAskedAgain = false;
          while (await sendBatch(deps, orgId, target, stopping.signal));
        }
      };
      // the schedule retries
      mine.ended = run()
        .catch((error: unknown) => {
          if (stopping.signal.aborted) return;
          deps.log.warn({ error, orgId, target }, 'events of the changelog could not be sent; it is tried again');
        })
        .finally(() => sending.delete(name));
      sending.set(name, mine);
    },
    settled,
    close: async () => {
      stopping.abort();
      await settled();
    },
  };
}

/** Sends a target's oldest events; true if there may be more to send now. */
async function sendBatch(deps: AutomationsDeps, orgId: string, target: string, signal: AbortSignal): Promise<boolean> {
  const waiting = await listDeliveries(deps.database, orgId, changelogConsumer, { target, limit: 1 });
  if (waiting.length === 0 || signal.aborted) return false;
  const address = await findAddress(deps.database, orgId, target);
  if (address === undefined) {
    await deps.database.transaction(async (tx) => {
      await dropDeliveries(tx, orgId, { consumer: changelogConsumer, target });
      await deleteReceiver(tx, { orgId, target });
    });
    return false;
  }
  const claimedAt = deps.clock.now();
  const withheld = await whyWithheld(deps.database, orgId, address);
  const until = new Date(claimedAt.getTime() + busyMs);
  const failures = await deps.database.transaction((tx) => claimReceiver(tx, { orgId, target }, claimedAt, until));
  if (failures === undefined) return false;
  const sent = withheld
    ? { done: [], hasSent: false, problem: withheld, isStuck: true }
    : await sendEach(deps, orgId, target, address, signal);
  const now = deps.clock.now();
  const waitMs = Math.min(backoffMsMax, 1000 * 2 ** failures);
  await deps.database.transaction(async (tx) => {
    await takeDeliveries(tx, orgId, changelogConsumer, sent.done);
    await releaseReceiver(
      tx,
      { orgId, target },
      {
        now,
        hasSent: sent.hasSent,
        problem: sent.problem,
        nextAttemptAt: sent.isStuck ? new Date(now.getTime() + waitMs) : undefined,
      },
    );
  });
  return !sent.isStuck;
}

/** Audit records may be sent only while the last author of the destination is active and may read them. */
async function whyWithheld(reader: Reader, orgId: string, { saved }: Address): Promise<string | undefined> {
  if (!saved) return undefined;
  const left = await authorityLeft(reader, orgId, saved);
  if (!left) {
    return 'Nobody stands behind the destination any more: who saved it last was removed or disabled. An administrator has to save it again';
  }
  if (coversAuthority(left, needed)) return undefined;
  return `Who saved the destination last may not read the audit log (${auditScope}). Somebody who may has to save it again`;
}

const auditScope = 'read:audit-log';
const needed = { roles: ['Admin'], teamKeys: [], scopes: [auditScope] };

interface SendResult {
  /** Delivered or dropped. */
  readonly done: readonly Delivery[];
  readonly hasSent: boolean;
  readonly problem: string | undefined;
  /** True if a retryable event blocks the queue. */
  readonly isStuck: boolean;
}

async function sendEach(
  deps: AutomationsDeps,
  orgId: string,
  target: string,
  address: Address,
  signal: AbortSignal,
): Promise<SendResult> {
  const deliveries = await listDeliveries(deps.database, orgId, changelogConsumer, { target, limit: batchSize });
  const organization = await findOrganization(deps.database, orgId);
  const { model } = systemActor(orgId, organization?.model);
  const records = deliveries.flatMap(({ record }) => record ?? []);
  const names = await teamNames(deps.database, orgId, model, teamReferencesIn(records));
  const opened = createSecretScope();
  const clientSecret = await deps.secrets.signingSecretOf(orgId, opened);
  addSecretsOfAddress(opened, address);
  const done: Delivery[] = [];
  let hasSent = false;
  let problem: string | undefined;
  for (const delivery of deliveries) {
    const now = deps.clock.now();
    const { record } = delivery;
    if (signal.aborted) break;
    if (record && now.getTime() - record.at.getTime() <= keptMs) {
      const facts = { orgId, names, publicUrl: deps.publicUrl(), clientSecret, now };
      const failure = opened.mask(await send(deps, address, record, facts, signal));
      // interrupted: sent again by the next process
      if (signal.aborted) break;
      if (failure && !failure.isRefused) return { done, hasSent, problem: failure.message, isStuck: true };
      if (failure) problem = failure.message;
      else hasSent = true;
    }
    done.push(delivery);
  }
  return { done, hasSent, problem, isStuck: false };
}

/** Receivers' addresses often contain a password, in path or query. */
function addSecretsOfAddress(opened: SecretScope, address: Address): void {
  if (address.kind !== 'broker') opened.add(address.url);
}

interface Failure {
  readonly message: string;
  readonly isRefused: boolean;
}

function send(
  deps: AutomationsDeps,
  address: Address,
  record: StoredRecord,
  facts: MessageFacts,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  return address.kind === 'broker'
    ? publish(deps, brokerMessage(record, facts, address.agentDestination), signal)
    : call(deps, address.url, changelogMessage(record, facts), signal);
}

async function publish(
  { broker }: AutomationsDeps,
  message: Message,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  if (!broker) {
    const sentence = 'There is no message broker any more; set PORTOLAN_KAFKA_BROKERS to the addresses of one';
    return { message: sentence, isRefused: false };
  }
  try {
    // an unreachable broker takes a minute to time out; a stop does not wait for it
    await unlessStopped(broker.send(message), signal);
    return undefined;
  } catch (error) {
    if (signal.aborted) return { message: 'The process is stopping', isRefused: false };
    if (!(error instanceof BrokerFailure)) throw error;
    return { message: error.message, isRefused: error.isRefused };
  }
}

async function unlessStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop);
  try {
    await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function call(
  { outgoing }: AutomationsDeps,
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    const { status } = await outgoing.send({ url, method: 'POST', ...message, timeoutMs: answerMs, signal });
    if (status >= 200 && status < 300) return undefined;
    return { message: `The receiver answered ${status}`, isRefused: refusals.includes(status) };
  } catch (error) {
    if (error instanceof OutgoingFailure) return { message: error.message, isRefused: false };
    if (signal.aborted) return { message: 'The process is stopping', isRefused: false };
    throw error;
  }
}
