import { z } from 'zod';
import { operation } from './operation.ts';

/**
 * Features that known clients ask for and that are not built: each answers `not_implemented`. No feature flag announces
 * them.
 */
const tag = 'Not built';
const name = z.string().min(1).max(1000);
const errors = ['not_implemented'] as const;

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
  writeToLake,
  getLifecycle,
  reportLifecycle,
  getLifecyclePart,
  reportLifecyclePart,
] as const;
