import { z } from 'zod';
import { operation } from './operation.ts';
import { queryText, timestamp } from './wire.ts';

const demo = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: timestamp,
  /** Nobody gets in any more; its data is being deleted in the background. */
  isBeingRemoved: z.boolean(),
});
export type DemoOrganization = z.output<typeof demo>;

const tag = 'Organization';

export const getDemoOrganization = operation({
  id: 'getDemoOrganization',
  method: 'GET',
  path: '/v1/organization/demo',
  scope: 'read:organization',
  tag,
  summary: 'Look whether there is a demo organization beside your own',
  access: 'token',
  answer: z.object({
    ok: z.literal(true),
    demo: demo.nullable(),
    /** Whether this installation can make one here: it came with the demo data, and this is not a demo itself. */
    isOffered: z.boolean(),
  }),
  errors: [],
});

export const createDemoOrganization = operation({
  id: 'createDemoOrganization',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/organization/demo',
  scope: 'update:organization',
  tag,
  summary: 'Make a demo organization with invented data beside your own',
  description:
    'An organization of its own: nothing of it appears in yours. People of yours enter it in the portal, or with `POST /v1/auth/organizations/{organization_id}/enter`.',
  access: 'admin',
  status: 201,
  answer: z.object({ ok: z.literal(true), demo }),
  errors: ['identifier_taken', 'not_found'],
});

export const removeDemoOrganization = operation({
  id: 'removeDemoOrganization',
  method: 'DELETE',
  path: '/v1/organization/demo',
  scope: 'update:organization',
  tag,
  summary: 'Remove the demo organization beside your own with everything in it, for good',
  description:
    'Asked from your own organization. Sessions and tokens in the demo end at once, its jobs stop, and its data is deleted in the background. `confirm` is the name of the demo organization.',
  access: 'admin',
  status: 202,
  query: z.object({ confirm: queryText() }),
  answer: z.object({ ok: z.literal(true), demo }),
  errors: ['not_found'],
});

export const demoOrganizationOperations = [
  getDemoOrganization,
  createDemoOrganization,
  removeDemoOrganization,
] as const;
