import * as contract from '@portolan/contract/sources';
import { type Route, route } from '../../../platform/http/route.ts';
import { listSyncRows } from '../ingest/sync.store.ts';
import { checkSource } from '../syncs/check-source.ts';
import { decideMissing, listMissing } from '../syncs/decide-missing.ts';
import { renewWebhook } from '../syncs/hooks.ts';
import { type EventJob, receiveSourceEvent } from '../syncs/source-events.ts';
import { cancelSync, type StartDeps, startSync } from '../syncs/start-sync.ts';
import { presentSync } from './present-source.ts';
import { getSource, getStoredSource, listSources, presentWithSyncs } from './read-sources.ts';
import { getSync, listSyncChanges, listSyncProblems } from './read-syncs.ts';
import { createSource, deleteSource, patchSource } from './write-source.ts';

const pageSize = 100;

export function sourceRoutes(deps: StartDeps & { readonly event: EventJob }): Route[] {
  return [...savedRoutes(deps), ...syncRoutes(deps), ...eventRoutes(deps)];
}

function eventRoutes(deps: StartDeps & { readonly event: EventJob }): Route[] {
  return [
    route(contract.renewSourceWebhook, async ({ params }, { actor }) =>
      renewWebhook(deps, actor, params.source_identifier),
    ),
    route(contract.receiveSourceEvent, async ({ params }, { headers, rawBody }) => {
      const sent = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
      await receiveSourceEvent(deps, params.webhook_key, Object.fromEntries(sent), bytes);
      return {};
    }),
  ];
}

function savedRoutes(deps: StartDeps): Route[] {
  return [
    route(contract.listSources, async (_input, { actor }) => ({ sources: await listSources(deps, actor) })),
    route(contract.checkSource, async ({ body }, { actor }) => checkSource(deps, actor, body)),
    route(contract.createSource, async ({ body }, { actor }) => ({
      source: await presentWithSyncs(deps, actor, await createSource(deps, actor, body)),
    })),
    route(contract.getSource, async ({ params }, { actor }) => ({
      source: await getSource(deps, actor, params.source_identifier),
    })),
    route(contract.patchSource, async ({ params, body }, { actor }) => ({
      source: await presentWithSyncs(deps, actor, await patchSource(deps, actor, params.source_identifier, body)),
    })),
    route(contract.deleteSource, async ({ params }, { actor }) => {
      await deleteSource(deps, actor, params.source_identifier);
      return {};
    }),
    route(contract.listMissing, async ({ params }, { actor }) => listMissing(deps, actor, params.source_identifier)),
    route(contract.decideMissing, async ({ params, body }, { actor }) =>
      decideMissing(deps, actor, params.source_identifier, body),
    ),
  ];
}

function syncRoutes(deps: StartDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.startSourceSync, async ({ params, body }, { actor }) => ({
      sync: presentSync(await startSync(deps, actor, params.source_identifier, body.mode)),
    })),
    route(contract.listSourceSyncs, async ({ params }, { actor }) => {
      const source = await getStoredSource(database, actor, params.source_identifier);
      const syncs = await listSyncRows(database, actor.orgId, { sourceKey: source.key, limit: 50 });
      return { syncs: syncs.map(presentSync) };
    }),
    route(contract.getSourceSync, async ({ params }, { actor }) => ({
      sync: presentSync(await getSync(deps, actor, params.source_identifier, params.sync_id)),
    })),
    route(contract.cancelSourceSync, async ({ params }, { actor }) => ({
      sync: presentSync(await cancelSync(deps, actor, params.source_identifier, params.sync_id)),
    })),
    route(contract.listSourceSyncChanges, async ({ params, query }, { actor }) => {
      const sync = await getSync(deps, actor, params.source_identifier, params.sync_id);
      return listSyncChanges(deps, actor, sync, { after: query.after, change: query.change, limit: pageSize });
    }),
    route(contract.listSourceSyncProblems, async ({ params, query }, { actor }) => {
      const sync = await getSync(deps, actor, params.source_identifier, params.sync_id);
      return listSyncProblems(deps, actor, sync, { after: query.after, limit: pageSize });
    }),
  ];
}
