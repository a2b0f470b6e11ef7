import * as deleteGuards from '@portolan/contract/delete-guards';
import * as contract from '@portolan/contract/integrations';
import * as mappingTests from '@portolan/contract/mapping-tests';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { HttpAnswer, type RequestInfo, type Route, route } from '../../platform/http/route.ts';
import { warningHeader } from '../../platform/http/warning.ts';
import { changeDeleteGuard, decideDeletion, readDeleteGuard } from './guard/change-guard.ts';
import { listIntegrationRows } from './integration.store.ts';
import { integrationType, presentIntegration, type StoredIntegration } from './integration.ts';
import type { IntegrationsDeps } from './integrations.deps.ts';
import { getIntegration, listIntegrations } from './read-integrations.ts';
import { warnOfConfig } from './sync/check-config.ts';
import type { NotifyJob } from './sync/request-resync.ts';
import { testMapping } from './test-mapping.ts';
import { createIntegration, deleteIntegration, patchIntegration, reportResyncState } from './write-integrations.ts';

export interface IntegrationRouteDeps extends IntegrationsDeps {
  readonly tell: NotifyJob;
}

export function integrationRoutes(deps: IntegrationRouteDeps): Route[] {
  return [...readRoutes(deps), ...writeRoutes(deps), ...guardRoutes(deps)];
}

function readRoutes(deps: IntegrationRouteDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listIntegrations, async ({ query }, { actor }) => {
      const filter = { actionsProcessingEnabled: parseBoolean(query.actionsProcessingEnabled) };
      const found = await listIntegrations(database, actor, filter);
      // clients that list integrations read the mapping of each without a check for null
      return {
        integrations: found.map((each) => ({ ...presentStored(deps, actor, each), config: toJson(each.config ?? {}) })),
      };
    }),
    route(contract.listIntegrationMetadata, async (_input, { actor }) => ({
      integrations: (await listIntegrationRows(database, actor.orgId)).map((each) => ({
        identifier: each.installationId,
        installationId: each.installationId,
        type: integrationType(each),
        title: each.title,
        updatedAt: each.updatedAt.toISOString(),
      })),
    })),
    route(contract.listProvisionEnabled, async () => ({ integrations: [] })),
    route(contract.getIntegration, async ({ params, query }, { actor }) => ({
      integration: presentStored(
        deps,
        actor,
        await getIntegration(database, actor, params.integration_identifier, query.byField),
      ),
    })),
    route(contract.getResyncRequest, async ({ params }, { actor }) => {
      const integration = await getIntegration(database, actor, params.integration_identifier);
      const { resyncRequestId: id, resyncRequestedAt: at } = integration;
      return { request: id === null || at === null ? null : { id, updatedAt: at.toISOString() } };
    }),
    route(mappingTests.testMapping, async ({ body }, { actor }) => testMapping(deps, actor, body)),
    route(contract.getKafkaCredentials, async () => {
      throw new AppError('not_implemented', 'There is no Kafka here; let the integration listen by POLLING or WEBHOOK');
    }),
  ];
}

function writeRoutes(deps: IntegrationRouteDeps): Route[] {
  return [
    route(contract.createIntegration, async ({ body }, { actor }) =>
      written(deps, actor, await createIntegration(deps, actor, body), body),
    ),
    route(contract.patchIntegration, async ({ params, body }, { actor, headers }) => {
      const options = { skipsResync: skipsResync(headers) };
      const changed = await patchIntegration(deps, actor, params.integration_identifier, body, options);
      return written(deps, actor, changed, body);
    }),
    route(contract.replaceIntegrationConfig, async ({ params, body }, { actor, headers }) => {
      const options = { skipsResync: skipsResync(headers) };
      const changed = await patchIntegration(deps, actor, params.integration_identifier, body, options);
      return written(deps, actor, changed, body);
    }),
    route(contract.deleteIntegration, async ({ params }, { actor }) => {
      await deleteIntegration(deps, actor, params.integration_identifier);
      return {};
    }),
    route(contract.reportResyncState, async ({ params, body }, { actor }) => ({
      integration: presentStored(
        deps,
        actor,
        await reportResyncState(deps, actor, params.integration_identifier, body),
      ),
    })),
  ];
}

function guardRoutes(deps: IntegrationRouteDeps): Route[] {
  return [
    route(deleteGuards.getDeleteGuard, async ({ params }, { actor }) => ({
      deleteGuard: await readDeleteGuard(deps.database, actor, params.integration_identifier),
    })),
    route(deleteGuards.putDeleteGuard, async ({ params, body }, { actor }) => ({
      deleteGuard: await changeDeleteGuard(deps, actor, params.integration_identifier, body.threshold),
    })),
    route(deleteGuards.decideDeletion, async ({ params, body }, { actor }) => ({
      deleteGuard: await decideDeletion(deps, actor, params.integration_identifier, body),
    })),
  ];
}

function presentStored({ publicUrl }: IntegrationRouteDeps, actor: Actor, integration: StoredIntegration) {
  return presentIntegration(integration, actor.orgId, publicUrl());
}

function written(
  deps: IntegrationRouteDeps,
  actor: Actor,
  integration: StoredIntegration,
  { config }: contract.IntegrationPatch,
) {
  return new HttpAnswer(
    { integration: presentStored(deps, actor, integration) },
    { headers: warningHeader(warnOfConfig(config)) },
  );
}

function toJson(config: object) {
  return config as NonNullable<contract.Integration['config']>;
}

function skipsResync(headers: RequestInfo['headers']): boolean {
  return /^(true|1|yes)$/i.test(String(headers['x-skip-resync'] ?? ''));
}

/** Text that is not a boolean counts as absent. */
function parseBoolean(text: string | undefined): boolean | undefined {
  if (/^(true|1|yes)$/i.test(text ?? '')) return true;
  return /^(false|0|no)$/i.test(text ?? '') ? false : undefined;
}
