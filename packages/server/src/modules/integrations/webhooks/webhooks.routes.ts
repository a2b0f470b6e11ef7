import * as contract from '@portolan/contract/webhooks';
import type { Actor } from '../../../platform/actor.ts';
import { HttpAnswer, type Route, route } from '../../../platform/http/route.ts';
import { warningHeader } from '../../../platform/http/warning.ts';
import { warnOfAuthority } from '../../accounts/index.ts';
import type { IntegrationsDeps } from '../integrations.deps.ts';
import { warnOfWebhook } from './check-webhook.ts';
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.ts';
import type { ProcessJob } from './process-deliveries.ts';
import { getWebhook, listWebhookNames, listWebhooks, shownTo } from './read-webhooks.ts';
import { createEventReceiver } from './receive-event.ts';
import { presentWebhook, type StoredWebhook } from './webhook.ts';
import { createWebhook, deleteWebhook, patchWebhook, replaceWebhook } from './write-webhooks.ts';

export interface WebhookDeps extends IntegrationsDeps {
  readonly process: ProcessJob;
}

export function webhookRoutes(deps: WebhookDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listWebhooks, async (_input, { actor }) => ({
      integrations: (await listWebhooks(deps, actor)).map(presentWebhook),
    })),
    route(contract.listWebhookMetadata, async (_input, { actor }) => ({
      integrations: (await listWebhookNames(database, actor)).map(({ identifier, definition, updatedAt }) => {
        return {
          identifier,
          title: definition.title,
          icon: definition.icon ?? null,
          updatedAt: updatedAt.toISOString(),
        };
      }),
    })),
    route(contract.createWebhook, async ({ body }, { actor }) =>
      written(deps, actor, await createWebhook(deps, actor, body)),
    ),
    route(contract.getWebhook, async ({ params }, { actor }) => ({
      integration: presentWebhook(await getWebhook(deps, actor, params.webhook_identifier)),
    })),
    route(contract.replaceWebhook, async ({ params, body }, { actor }) =>
      written(deps, actor, await replaceWebhook(deps, actor, params.webhook_identifier, body)),
    ),
    route(contract.patchWebhook, async ({ params, body }, { actor }) =>
      written(deps, actor, await patchWebhook(deps, actor, params.webhook_identifier, body)),
    ),
    route(contract.deleteWebhook, async ({ params }, { actor }) => {
      await deleteWebhook(deps, actor, params.webhook_identifier);
      return {};
    }),
    ...deliveryRoutes(deps),
  ];
}

function deliveryRoutes(deps: WebhookDeps): Route[] {
  const { database } = deps;
  const receive = createEventReceiver(deps);
  return [
    route(contract.listWebhookDeliveries, async ({ params, query }, { actor }) => ({
      deliveries: await listDeliveries(database, actor, params.webhook_identifier, query),
    })),
    route(contract.getWebhookDelivery, async ({ params }, { actor }) => ({
      delivery: await getDelivery(database, actor, params.webhook_identifier, params.delivery_id),
    })),
    route(contract.replayWebhookDelivery, async ({ params }, { actor }) => ({
      delivery: await replayDelivery(deps, actor, params.webhook_identifier, params.delivery_id),
    })),
    route(contract.ingestWebhook, async ({ params }, { rawBody, headers, query }) => {
      const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
      return { ...(await receive(params.webhook_key, { bytes, headers, query })) };
    }),
  ];
}

function written(deps: WebhookDeps, actor: Actor, webhook: StoredWebhook) {
  const warnings = [...warnOfWebhook(webhook.definition, webhook.sealedSecret !== null), ...warnOfAuthority(webhook)];
  const integration = presentWebhook(shownTo(deps, actor, webhook));
  return new HttpAnswer({ integration }, { headers: warningHeader(warnings) });
}
