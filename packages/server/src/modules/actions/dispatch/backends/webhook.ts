import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, isTrue, parseContent } from '../backend.ts';
import { answerProblem, callAddress } from '../call-address.ts';
import { sendToAgent } from './kafka.ts';

/**
 * Calls the address of a `WEBHOOK` action. The answer to a synchronized call ends the run: 2xx is success. Otherwise
 * the run waits for a report, and fails only if the address is unreachable or refuses.
 */
export function webhookBackend(deps: ActionsDeps): Backend {
  return async (delivery) => {
    const { synchronized, agent } = delivery.method;
    if (isTrue(agent)) return sendToAgent(deps, delivery);
    const isSynchronized = isTrue(synchronized);
    const call = await callAddress(deps, delivery);
    if (call.kind === 'failed') {
      return { kind: 'failed', message: call.message, canRetry: call.mayPass && !isSynchronized };
    }
    const response = { statusCode: call.status, body: parseContent(call.body) };
    const problem = answerProblem(call.status);
    if (problem) {
      return { kind: 'failed', message: problem.message, response, canRetry: problem.mayPass && !isSynchronized };
    }
    if (call.invocation === undefined) return { kind: isSynchronized ? 'succeeded' : 'accepted', response };
    // the question was accepted; the run ends when the invocation ends
    const follow = { service: 'INVOCATION', id: call.invocation, since: deps.clock.now().toISOString() } as const;
    return { kind: 'accepted', response, follow };
  };
}
