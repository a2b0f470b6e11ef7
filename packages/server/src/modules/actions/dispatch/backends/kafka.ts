import { openedFor } from '../../../../platform/actor.ts';
import { BrokerFailure, type MessageBroker } from '../../../../platform/messages/message-broker.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, type BackendOutcome, type Delivery, failed } from '../backend.ts';
import { signatureHeaders } from '../sign-request.ts';

/**
 * Sends the payload of a `KAFKA` action to the organization's topic of runs; the run waits for a report. It also waits
 * if there is no broker, because executors may read runs over the API.
 */
export function kafkaBackend(deps: ActionsDeps): Backend {
  return async (delivery) => {
    if (!deps.broker) return { kind: 'accepted', message: notSent };
    const { rendered, context } = delivery;
    return publish(deps.broker, delivery, JSON.stringify(rendered.method['payload'] ?? context));
  };
}

const notSent =
  'No message was sent, since the operator set no PORTOLAN_KAFKA_BROKERS; the run waits for whoever reports on it';

/** Passes a webhook to the organization's agent, which makes the call in its own network (api contract §3.5.6). */
export async function sendToAgent(deps: ActionsDeps, delivery: Delivery): Promise<BackendOutcome> {
  if (!deps.broker) {
    return failed('"agent: true" needs a message broker: set PORTOLAN_KAFKA_BROKERS to the addresses of one');
  }
  return publish(deps.broker, delivery, await agentMessage(deps, delivery));
}

async function publish(broker: MessageBroker, { run, actor }: Delivery, value: string): Promise<BackendOutcome> {
  try {
    await broker.send({ topic: `${actor.orgId}.runs`, key: run.id, value });
    return { kind: 'accepted' };
  } catch (error) {
    if (!(error instanceof BrokerFailure)) throw error;
    return { kind: 'failed', message: error.message, canRetry: true };
  }
}

/** The message format of agents (catalog semantics §4.8), signed with its time. */
async function agentMessage({ secrets, clock }: ActionsDeps, delivery: Delivery): Promise<string> {
  const { rendered, run, context, actor } = delivery;
  const { trigger } = run.action.definition;
  const envelope = {
    action: run.actionIdentifier,
    resourceType: 'run',
    status: 'TRIGGERED',
    trigger: context.trigger,
    context: { entity: run.entity, blueprint: run.blueprint, runId: run.id },
    payload: {
      entity: context.entity,
      action: { identifier: run.actionIdentifier, invocationMethod: rendered.method, trigger },
      properties: run.properties,
      censoredProperties: [],
    },
  };
  const secret = await secrets.signingSecretOf(actor.orgId, openedFor(actor));
  if (secret === undefined) return JSON.stringify(envelope);
  const now = clock.now();
  const timed = { ...envelope, headers: { 'X-Port-Timestamp': String(Math.floor(now.getTime() / 1000)) } };
  const signed = signatureHeaders(JSON.stringify(timed), secret, now);
  return JSON.stringify({ ...timed, headers: { ...timed.headers, 'X-Port-Signature': signed['x-port-signature'] } });
}
