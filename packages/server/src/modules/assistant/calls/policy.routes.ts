import * as contract from '@portolan/contract/ai-policy';
import { type Route, route } from '../../../platform/http/route.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { type AiPolicy, putPolicy, readPolicy } from './policy.store.ts';
import { resolveTrusted } from './trusted-sources.ts';

/** What administrators decide about calls of their assistants. */
export function policyRoutes({ database, unitOfWork, clock, findSource }: AssistantDeps): Route[] {
  return [
    route(contract.getAiPolicy, async (_input, { actor }) => ({
      policy: presentPolicy(await readPolicy(database, actor.orgId, clock.now())),
    })),
    route(contract.putAiPolicy, async ({ body }, { actor }) => {
      const after = await unitOfWork(actor, async ({ tx, now, record }) => {
        const before = await readPolicy(tx, actor.orgId, now);
        // whoever decides ends the time for which the other choice was only tried
        const decided: AiPolicy = {
          injection: body.injection,
          observedUntil: null,
          risks: body.risks ?? before.risks,
          trustedSources: body.trustedSources
            ? await resolveTrusted(tx, actor.orgId, body.trustedSources, findSource)
            : before.trustedSources,
          receipts: body.receipts ?? before.receipts,
        };
        await putPolicy(tx, actor.orgId, decided, { by: actor.id, at: now });
        record({
          event: 'organization.updated',
          action: 'UPDATE',
          resourceType: 'organization',
          identifier: 'ai-policy',
          context: {},
          before: presentPolicy(before),
          after: presentPolicy(decided),
        });
        return decided;
      });
      return { policy: presentPolicy(after) };
    }),
  ];
}

function presentPolicy({ injection, observedUntil, risks, trustedSources, receipts }: AiPolicy) {
  return {
    injection,
    observedUntil: observedUntil?.toISOString() ?? null,
    risks: { ...risks },
    trustedSources: trustedSources.map(({ kind, identifier }) => ({ kind, identifier })),
    receipts,
  };
}
