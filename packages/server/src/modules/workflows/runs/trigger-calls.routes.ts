import { callWorkflowTrigger } from '@portolan/contract/workflows';
import { type Route, route } from '../../../platform/http/route.ts';
import { type CallDeps, receiveCall } from './receive-call.ts';

/** Where others start runs. */
export function triggerCallRoutes(deps: CallDeps): Route[] {
  return [
    route(callWorkflowTrigger, async ({ params }, { rawBody, headers, query }) => {
      const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
      return { ...(await receiveCall(deps, params.name, { bytes, headers, query })) };
    }),
  ];
}
