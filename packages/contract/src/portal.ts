import { z } from 'zod';
import { operation } from './operation.ts';

const part = z.object({
  operation: z.string(),
  /** As the operation was called, by the names of the contract. */
  input: z.object({ params: z.record(z.string(), z.unknown()), query: z.record(z.string(), z.unknown()) }).partial(),
  /** What the operation answers to the caller on its own. */
  answer: z.unknown(),
  /** The `ETag` of the answer, where it has one. */
  etag: z.string().optional(),
});
export type BootstrapPart = z.output<typeof part>;

export const getPortalBootstrap = operation({
  id: 'getPortalBootstrap',
  method: 'GET',
  path: '/v1/portal/bootstrap',
  tag: 'Organization',
  summary: 'Read what the portal shows first at an address, in one answer',
  description:
    'For a session of the portal. Each part is the answer of its own operation with the rights of the caller, and is left out where the operation refuses, fails or takes too long: the portal then calls it by itself.',
  access: 'token',
  scope: null,
  query: z.object({
    path: z.string().max(4000).meta({ description: 'The path of the screen, such as `/catalog/service`' }),
  }),
  answer: z.object({ ok: z.literal(true), parts: z.array(part) }),
  errors: ['missing_permissions'],
});

export const portalOperations = [getPortalBootstrap] as const;
