import * as contract from '@portolan/contract/integration-reports';
import { type Route, route } from '../../platform/http/route.ts';
import type { IntegrationsDeps } from './integrations.deps.ts';
import { readCursor, writeCursor } from './sync/cursors.ts';
import { addExamples, listKinds } from './sync/examples.ts';
import { ingestLogs, listLogs } from './sync/logs.ts';
import { listMetrics, listSyncs, recordSyncHeartbeat, reportMetrics } from './sync/metrics.ts';

export function reportRoutes(deps: IntegrationsDeps): Route[] {
  return [...logRoutes(deps), ...metricRoutes(deps), ...sampleRoutes(deps), ...cursorRoutes(deps)];
}

function logRoutes(deps: IntegrationsDeps): Route[] {
  return [
    route(contract.listIntegrationLogs, async ({ params, query }, { actor }) => {
      const { log_id: logId, level, 'level[]': levels, ...rest } = query;
      const filter = { ...rest, logId, levels: level ?? levels };
      return { data: await listLogs(deps.database, actor, params.integration_identifier, filter) };
    }),
    route(contract.ingestIntegrationLogs, async ({ params, body }, { actor }) => {
      await ingestLogs(deps, actor, params.ingest_id, body.logs);
      return {};
    }),
  ];
}

function metricRoutes(deps: IntegrationsDeps): Route[] {
  return [
    route(contract.addSyncMetrics, async ({ params, body }, { actor }) => {
      await reportMetrics(deps, actor, params.ingest_id, body.syncKindsMetrics);
      return {};
    }),
    route(contract.putSyncMetrics, async ({ params, body }, { actor }) => {
      // prefer the body: clients encode blanks in the path inconsistently
      const { eventId = params.event_id, kindIdentifier = params.kind_identifier, ...rest } = body.syncKindMetrics;
      await reportMetrics(deps, actor, params.ingest_id, [{ ...rest, eventId, kindIdentifier }]);
      return {};
    }),
    route(contract.beatSync, async ({ params, body }, { actor }) => {
      await recordSyncHeartbeat(deps, actor, params.ingest_id, body.eventId);
      return {};
    }),
    route(contract.listSyncMetrics, async ({ params, query }, { actor }) => ({
      data: await listMetrics(deps.database, actor, params.integration_identifier, query.resyncId),
    })),
    route(contract.listSyncs, async ({ params }, { actor }) => {
      const now = deps.clock.now();
      const data = await listSyncs({ database: deps.database, now }, actor, params.integration_identifier);
      return { count: data.length, data };
    }),
  ];
}

function sampleRoutes(deps: IntegrationsDeps): Route[] {
  return [
    route(contract.addKindExamples, async ({ params, body }, { actor }) => {
      await addExamples(deps, actor, params.integration_identifier, params.kind, body.examples);
      return {};
    }),
    route(contract.listKinds, async ({ params }, { actor }) => ({
      data: await listKinds(deps.database, actor, params.integration_identifier),
    })),
  ];
}

function cursorRoutes(deps: IntegrationsDeps): Route[] {
  return [
    route(contract.getSyncCursor, async ({ params, query }, { actor }) => ({
      cursor: toJson(await readCursor(deps.database, actor, params.integration_identifier, query)),
    })),
    route(contract.putSyncCursor, async ({ params, query, body }, { actor }) => ({
      cursor: toJson(await writeCursor(deps, actor, params.integration_identifier, query, body, { creates: false })),
    })),
    route(contract.createSyncCursor, async ({ params, query, body }, { actor }) => ({
      cursor: toJson(await writeCursor(deps, actor, params.integration_identifier, query, body, { creates: true })),
    })),
  ];
}

function toJson(cursor: object | null) {
  return cursor as Record<string, null> | null;
}
