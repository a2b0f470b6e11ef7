import { agentInstallation } from '@portolan/contract/workflow-node-runs';
import type { ActionsDeps } from '../../actions.deps.ts';
import type { Backend, BackendOutcome, Delivery } from '../backend.ts';
import { noBroker, publishMessage, publishSigned } from '../publish-message.ts';

/**
 * Sends the payload of a `KAFKA` action to the organization's topic of runs; the run waits for a report. It also waits
 * if there is no broker, because executors may read runs over the API.
 */
export function kafkaBackend(deps: ActionsDeps): Backend {
  return async (delivery) => {
    if (!deps.broker) return { kind: 'accepted', message: noBroker };
    return publishMessage(deps.broker, delivery, JSON.stringify(delivery.method['payload'] ?? delivery.context));
  };
}

/**
 * Passes a webhook to the organization's agent, which makes the call in its own network (api contract §3.5.6): as a
 * message if there is a broker, and to agents that ask for work.
 */
export async function sendToAgent(deps: ActionsDeps, delivery: Delivery): Promise<BackendOutcome> {
  const sent = await publishSigned(deps, delivery, agentMessage(delivery));
  return sent.kind === 'failed' ? sent : { ...sent, installationId: agentInstallation };
}

/** The message format of agents (catalog semantics §4.8). */
function agentMessage({ method, run, context }: Delivery): object {
  const { trigger } = run.action.definition;
  return {
    action: run.actionIdentifier,
    resourceType: 'run',
    status: 'TRIGGERED',
    trigger: context.trigger,
    context: { entity: run.entity, blueprint: run.blueprint, runId: run.id },
    payload: {
      entity: context.entity,
      action: { identifier: run.actionIdentifier, invocationMethod: method, trigger },
      properties: run.properties,
      censoredProperties: [],
    },
  };
}
