import { createHash } from 'node:crypto';
import { mappingMillisecondsMax, stringify } from '@portolan/jq';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import { waitsForDatabase } from '../../../platform/db/passing-failure.ts';
import { storable } from '../../../platform/db/storable.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { shareTime } from '../../../platform/evaluation-time.ts';
import { mapWithin } from '../../../platform/expressions.ts';
import { createGathering } from '../../../platform/gathering.ts';
import { createSecretScope, type SecretScope } from '../../../platform/secrets/secret-scope.ts';
import { createTurns } from '../../../platform/take-turns.ts';
import type { IntegrationsDeps } from '../integrations.deps.ts';
import { readOrganizationId } from './ingest-key.ts';
import { type Arrival, keepArrivals, type ReceivedEvent } from './keep-arrivals.ts';
import type { ProcessJob } from './process-deliveries.ts';
import { type RawEvent, readEvent, toHeaders, type WebhookEvent } from './read-event.ts';
import { signingSecret } from './secret-of.ts';
import { whyUnsigned } from './verify-signature.ts';
import { findReceiving } from './webhook.store.ts';
import type { WebhookDefinition } from './webhook.ts';

export interface ReceiveDeps extends Pick<IntegrationsDeps, 'database' | 'clock' | 'unitOfWork' | 'secrets'> {
  readonly process: ProcessJob;
}

/**
 * Accepts an event: stores and queues it in one transaction, to be mapped later. Refused events are recorded as
 * deliveries too.
 * @throws AppError `not_found` (no such address), `unauthorized` (signature), `invalid_json`, `invalid_request`,
 * `too_many_requests`
 */
export type ReceiveEvent = (ingestKey: string, raw: RawEvent) => Promise<ReceivedEvent>;

interface IncomingEvent {
  readonly ingestKey: string;
  readonly raw: RawEvent;
}

/** SQLSTATE of PostgreSQL (documentation, appendix A). */
const foreignKeyViolation = '23503';
/** Above this many waiting events, a webhook refuses more. */
const openMax = 5_000;
/** Bytes of events that share a commit. */
const bytesMax = 4_000_000;
/** After events that came together: a sender that sends several at once needs about so long for its next ones. */
const settleMs = 1;
/** How long events are judged before others may go on. */
const turnMs = 10;

/**
 * Events that come to a webhook while it is busy with others are judged by one read of it, which begins after they
 * came, and kept by one commit: so a burst costs less than a commit for each.
 */
export function createEventReceiver(deps: ReceiveDeps): ReceiveEvent {
  const receive = createGathering((events: readonly [IncomingEvent, ...IncomingEvent[]]) => receiveAll(deps, events), {
    weight: { of: ({ raw }) => raw.bytes.length, max: bytesMax },
    settleMs,
  });
  return async (ingestKey, raw) => {
    const outcome = await receive(ingestKey, { ingestKey, raw });
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome;
  };
}

/** Events to one address; an answer or a refusal for each. */
async function receiveAll(
  deps: ReceiveDeps,
  events: readonly [IncomingEvent, ...IncomingEvent[]],
): Promise<(ReceivedEvent | Refused)[]> {
  const [{ ingestKey }] = events;
  const orgId = readOrganizationId(ingestKey);
  const webhook = orgId && (await findReceiving(deps.database, orgId, ingestKey, openMax));
  if (!orgId || !webhook) return events.map(() => ({ refusal: unknownAddress(ingestKey) }));
  const opened = createSecretScope();
  const secret = webhook.definition.enabled ? await signingSecret(deps.secrets, orgId, webhook, opened) : undefined;
  const gate = { ...webhook.definition, secret, opened, now: deps.clock.now() };

  const judged: Judged[] = [];
  const takeTurns = createTurns(turnMs);
  let room = openMax - webhook.open;
  for (const { raw } of events) {
    const one = judge(gate, raw, room > 0);
    // one that turns out to be a repetition has taken a place too: it is known too late to let another in
    if (one.arrival?.state === 'waiting') room -= 1;
    judged.push(one);
    await takeTurns();
  }
  const arrivals = judged.flatMap(({ arrival }) => arrival ?? []);
  const kept = await keepEach((part) => keepArrivals(deps, orgId, webhook.key, part), arrivals, ingestKey);
  return judged.map(({ arrival, refusal }) => {
    const answer = arrival && kept.shift();
    return refusal === undefined ? (answer as ReceivedEvent | Refused) : { refusal };
  });
}

/** Keeps arrivals together; where that fails, each by itself, so that one takes no others along. */
async function keepEach(
  keep: (arrivals: readonly Arrival[]) => Promise<ReceivedEvent[]>,
  arrivals: readonly Arrival[],
  ingestKey: string,
): Promise<(ReceivedEvent | Refused)[]> {
  if (arrivals.length === 0) return [];
  try {
    return await keep(arrivals);
  } catch (error) {
    const isDeleted = error instanceof DatabaseError && error.code === foreignKeyViolation;
    const refusal = isDeleted ? unknownAddress(ingestKey) : error;
    // by itself no event would fare better
    if (arrivals.length === 1 || waitsForDatabase(error) || refusal instanceof AppError) {
      return arrivals.map(() => ({ refusal }));
    }
    const kept: (ReceivedEvent | Refused)[] = [];
    for (const arrival of arrivals) kept.push(...(await keepEach(keep, [arrival], ingestKey)));
    return kept;
  }
}

function unknownAddress(ingestKey: string): AppError {
  return notFound('Webhook', ingestKey, 'webhookKey');
}

interface Gate extends Pick<WebhookDefinition, 'enabled' | 'security'> {
  readonly secret: string | undefined;
  readonly opened: SecretScope;
  readonly now: Date;
}

interface Refused {
  readonly refusal: unknown;
}

/** What is kept of an event, what its sender is refused with, or both. */
type Judged = Partial<Refused> & { readonly arrival?: Arrival };

function judge({ enabled, security, secret, opened, now }: Gate, raw: RawEvent, hasRoom: boolean): Judged {
  const bytes = raw.bytes.length;
  if (!enabled) return { arrival: { state: 'dropped', bytes, reason: 'The webhook is disabled' } };
  const refuse = (refusal: AppError): Judged => {
    // it may quote the body, and end within a letter
    return { refusal, arrival: { state: 'refused', bytes, reason: storable(refusal.message.slice(0, 500)) } };
  };
  const unsigned = whyUnsigned(security, secret, { bytes: raw.bytes, headers: toHeaders(raw) });
  if (unsigned !== undefined) return refuse(new AppError('unauthorized', unsigned));
  if (!hasRoom) {
    const message = `${openMax} events of this webhook wait already; send it again later`;
    return { refusal: new AppError('too_many_requests', message, { retryAfterSeconds: 10 }) };
  }
  let event: WebhookEvent;
  try {
    event = readEvent(raw, security.signatureHeaderName);
  } catch (error) {
    return error instanceof AppError ? refuse(error) : { refusal: error };
  }
  // senders put the secret into other headers and the address too; the body stays as sent
  const { headers, queryParams } = opened.mask({ headers: event.headers, queryParams: event.queryParams });
  const payload = { ...event, headers, queryParams };
  const path = security.requestIdentifierPath;
  const request = path ? readRequestId(path, payload, now) : undefined;
  return { arrival: { state: 'waiting', bytes, payload, request } };
}

/** Digest of the request id; undefined without an id, so that such requests never count as repeated. */
function readRequestId(path: string, event: WebhookEvent, now: Date): string | undefined {
  const found = mapWithin(shareTime(now, mappingMillisecondsMax)).evaluate(path, { ...event }, now);
  if ('error' in found || found.value === null || found.value === undefined) return undefined;
  return createHash('sha256').update(stringify(found.value)).digest('hex');
}
