import { openedFor } from '../../../platform/actor.ts';
import { BrokerFailure, type MessageBroker } from '../../../platform/messages/message-broker.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { Errand } from './errand.ts';
import { signMessage } from './sign-request.ts';

type Recipient = Pick<Errand, 'id' | 'actor'>;

export type PublishOutcome =
  | { readonly kind: 'accepted'; readonly message?: string }
  | { readonly kind: 'failed'; readonly message: string; readonly canRetry: boolean };

export const noBroker =
  'No message was sent, since the operator set no PORTOLAN_KAFKA_BROKERS; the run waits for whoever reports on it';

/** Puts a message on the organization's topic of runs. */
export async function publishMessage(
  broker: MessageBroker,
  { id, actor }: Recipient,
  value: string,
): Promise<PublishOutcome> {
  try {
    await broker.send({ topic: `${actor.orgId}.runs`, key: id, value });
    return { kind: 'accepted' };
  } catch (error) {
    if (!(error instanceof BrokerFailure)) throw error;
    return { kind: 'failed', message: error.message, canRetry: true };
  }
}

/** The same with a signature, for the agent; without a broker only agents that ask for work learn of it. */
export async function publishSigned(
  { broker, secrets, clock }: Pick<ActionsDeps, 'broker' | 'secrets' | 'clock'>,
  errand: Recipient,
  message: object,
): Promise<PublishOutcome> {
  if (!broker) return { kind: 'accepted' };
  const { actor } = errand;
  const secret = await secrets.signingSecretOf(actor.orgId, openedFor(actor));
  return publishMessage(
    broker,
    errand,
    secret === undefined ? JSON.stringify(message) : signMessage(message, secret, clock.now()),
  );
}
