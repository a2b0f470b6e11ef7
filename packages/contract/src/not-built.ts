import { z } from 'zod';
import { operation } from './operation.ts';

/**
 * Features that known clients ask for and that are not built: each answers `not_implemented`. No feature flag announces
 * them.
 */
const tag = 'Not built';
const name = z.string().min(1).max(1000);
const errors = ['not_implemented'] as const;

/** Executors poll this in turn with runs of actions; an empty list lets them go on. */
export const claimNodeRuns = operation({
  id: 'claimNodeRuns',
  method: 'POST',
  path: '/v1/workflows/runs/claim-pending',
  tag,
  summary: 'Claim runs of workflows, of which there are none',
  access: 'token',
  scope: 'execute:actions',
  answer: z.object({ ok: z.literal(true), nodeRuns: z.array(z.never()) }),
  errors: [],
});

/** Called for outside runs without a run of ours; an error would stop the client's webhook. */
export const listNodeRuns = operation({
  id: 'listNodeRuns',
  method: 'GET',
  path: '/v1/workflows/nodes/runs',
  tag,
  summary: 'List runs of the nodes of workflows, of which there are none',
  access: 'token',
  scope: 'read:runs',
  answer: z.object({ ok: z.literal(true), nodeRuns: z.array(z.never()) }),
  errors: [],
});

const workflow = {
  tag,
  summary: 'Not built: workflows; use actions and automations',
  access: 'token',
  errors,
} as const;
const oneNodeRun = { ...workflow, params: z.object({ id: name }) } as const;

const acknowledgeNodeRun = operation({
  id: 'acknowledgeNodeRun',
  method: 'PATCH',
  path: '/v1/workflows/runs/ack',
  ...workflow,
});
const reportNodeRun = operation({
  id: 'reportNodeRun',
  method: 'PATCH',
  path: '/v1/workflows/nodes/runs/{id}',
  ...oneNodeRun,
});
const addNodeRunLogs = operation({
  id: 'addNodeRunLogs',
  method: 'POST',
  path: '/v1/workflows/nodes/runs/{id}/logs',
  ...oneNodeRun,
});

/** Raw data of a resync, from clients that leave the mapping to the server. */
const writeToLake = operation({
  id: 'writeToLake',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/ingest/lake/write/integration-type/{type}/integration/{id}/sync/{sync_id}/kind/{kind}',
  tag,
  summary: 'Not built: raw data of a resync; clients map it themselves',
  access: 'token',
  params: z.object({ type: name, id: name, sync_id: name, kind: name }),
  errors,
});

const lifecycle = {
  tag,
  summary:
    'Not built: the life cycle of a resync that the server maps; clients report theirs as the state of the resync',
  access: 'token',
  errors,
} as const;
const event = { ...lifecycle, path: '/v1/lifecycle/{event_id}', params: z.object({ event_id: name }) } as const;
const part = {
  ...lifecycle,
  path: '/v1/lifecycle/{event_id}/{granularity}',
  params: z.object({ event_id: name, granularity: name }),
} as const;
const getLifecycle = operation({ id: 'getLifecycle', method: 'GET', ...event });
const reportLifecycle = operation({ id: 'reportLifecycle', method: 'POST', ...event });
const getLifecyclePart = operation({ id: 'getLifecyclePart', method: 'GET', ...part });
const reportLifecyclePart = operation({ id: 'reportLifecyclePart', method: 'POST', ...part });

/** Operations that answer only `not_implemented`. */
export const absentOperations = [
  acknowledgeNodeRun,
  reportNodeRun,
  addNodeRunLogs,
  writeToLake,
  getLifecycle,
  reportLifecycle,
  getLifecyclePart,
  reportLifecyclePart,
] as const;

export const notBuiltOperations = [claimNodeRuns, listNodeRuns, ...absentOperations] as const;
