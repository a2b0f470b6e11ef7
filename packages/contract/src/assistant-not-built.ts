import { z } from 'zod';
import { type Operation, operation } from './operation.ts';

const common = {
  access: 'token',
  invalidStatus: 400,
  tag: 'AI assistant',
  errors: ['not_implemented'],
} as const;

const discovery = '/v1/ai/entities-auto-discovery';
const invocation = z.object({ invocation_id: z.string() });

/** Published operations that no real client calls and that are not built: 501 instead of a misleading 404. */
export const assistantNotBuiltOperations = [
  operation({
    ...common,
    id: 'startAutoDiscovery',
    method: 'POST',
    path: discovery,
    summary: 'Not built: discover entities',
  }),
  operation({
    ...common,
    id: 'listAutoDiscoverySuggestions',
    method: 'GET',
    path: `${discovery}/{invocation_id}/suggestions`,
    params: invocation,
    summary: 'Not built: suggestions of a discovery',
  }),
  operation({
    ...common,
    id: 'reviewAutoDiscovery',
    method: 'POST',
    path: `${discovery}/{invocation_id}/review`,
    params: invocation,
    summary: 'Not built: decide on suggestions',
  }),
  operation({
    ...common,
    id: 'editAutoDiscoverySuggestion',
    method: 'PATCH',
    path: `${discovery}/{invocation_id}/suggestions/{entity_identifier}`,
    params: invocation.extend({ entity_identifier: z.string() }),
    summary: 'Not built: edit a suggestion',
  }),
  operation({
    ...common,
    id: 'getLatestAutoDiscovery',
    method: 'GET',
    path: `${discovery}/blueprint/{blueprint_identifier}/latest`,
    params: z.object({ blueprint_identifier: z.string() }),
    summary: 'Not built: the latest discovery of a blueprint',
  }),
] as const satisfies readonly Operation[];
