import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { blueprintIdentifier, timestamp } from './wire.ts';

const text = (max: number) => z.string().max(max);

/** Settings of the organization (api contract §3.12); null removes a key. */
const settingsShape = {
  hiddenBlueprints: z.array(blueprintIdentifier).max(1000).nullable().optional(),
  federatedLogout: z.boolean().nullable().optional(),
  portalIcon: text(100_000).nullable().optional(),
  portalTitle: text(30).nullable().optional(),
  supportUserPermission: z.enum(['OPT_OUT', 'OPT_IN']).nullable().optional(),
  supportUserTTL: z.enum(['ONE_DAY', 'ONE_WEEK', 'ONE_MONTH', 'FOREVER']).nullable().optional(),
  supportUserExpiresAt: z.iso.datetime({ offset: true }).nullable().optional(),
  portAgentStreamerName: text(200).nullable().optional(),
  includeBlueprintsInGlobalSearchByDefault: z.boolean().nullable().optional(),
  requestersMayApprove: z.boolean().nullable().optional().meta({
    description:
      'Whether people may approve runs that they asked for themselves; no unless set. Only an unrestricted administrator switches it on',
  }),
};
const settings = z.strictObject(settingsShape);

const announcementShape = {
  enabled: z.boolean().optional(),
  content: z.string().min(1).max(300).optional(),
  link: text(300)
    // shown as a link to everybody: a script in it would run as the reader
    .refine((link) => link === '' || /^(https?:\/\/|mailto:|\/(?!\/))/i.test(link), {
      error: 'must begin with https://, http://, mailto: or /',
    })
    .nullable()
    .optional(),
  color: z.enum(['blue', 'red']).optional(),
};

const organizationName = z.string().trim().min(1).max(100);

const organizationChange = {
  settings: settings.optional(),
  isOnboarded: z.boolean().optional(),
  toolSelectionProvisioning: z.strictObject({ status: z.enum(['IN_PROGRESS', 'DONE']) }).optional(),
  pageOrder: z.array(z.string().max(200)).max(5000).nullable().optional(),
  defaultPage: text(200).nullable().optional(),
  inactivityTimeout: z.number().int().min(1).max(525_600).nullable().optional(),
};

/** The organization for its own people. What was never set is absent. */
const ownOrganization = z.object({
  id: z.string(),
  name: z.string(),
  featureFlags: z.array(z.string()),
  settings: z.record(z.string(), z.json()),
  announcement: z
    .object({
      enabled: z.boolean().optional(),
      content: z.string().optional(),
      link: z.string().nullable().optional(),
      color: z.string().optional(),
    })
    .optional(),
  isOnboarded: z.boolean().optional(),
  toolSelectionProvisioning: z.object({ status: z.string() }).optional(),
  pageOrder: z.array(z.string()).optional(),
  defaultPage: z.string().optional(),
  inactivityTimeout: z.number().optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** Whether users and teams are entities, so that owners are identifiers and blueprints use `ownership`. */
export function hasTeamsAsBlueprints({ featureFlags }: { readonly featureFlags?: unknown }): boolean {
  return Array.isArray(featureFlags) && featureFlags.includes('USERS_AND_TEAMS_OWNERSHIP_V2');
}

const done = z.object({ ok: z.literal(true) });

export const getOwnOrganization = operation({
  id: 'getOwnOrganization',
  method: 'GET',
  path: '/v1/organization',
  tag: 'Organization',
  summary: 'Read the organization of the caller',
  access: 'token',
  scope: null,
  answer: z.object({ ok: z.literal(true), organization: ownOrganization }),
  errors: [],
});

export const replaceOwnOrganization = operation({
  id: 'replaceOwnOrganization',
  method: 'PUT',
  path: '/v1/organization',
  tag: 'Organization',
  summary: 'Replace name, settings and announcement of the organization',
  access: 'admin',
  body: z.object({
    name: organizationName,
    settings: settings.optional(),
    announcement: z.strictObject({ ...announcementShape, content: z.string().min(1).max(300) }).optional(),
  }),
  unknownFields: 'closed',
  answer: done,
  errors: [],
});

export const patchOwnOrganization = operation({
  id: 'patchOwnOrganization',
  method: 'PATCH',
  path: '/v1/organization',
  tag: 'Organization',
  summary: 'Change settings of the organization',
  description: 'Keys of `settings` and `announcement` that are left out stay; null takes a key away.',
  access: 'admin',
  body: z.object({
    name: organizationName.optional(),
    announcement: z.strictObject(announcementShape).optional(),
    ...organizationChange,
  }),
  unknownFields: 'closed',
  answer: done,
  errors: [],
});

/** Sealed on arrival; no operation returns the value. */
const organizationSecret = z.object({
  secretName: z.string(),
  description: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const secretName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9-_]*$/, 'may hold letters, digits, - and _ only');
const secretValue = secret(z.string().min(1).max(65_536, 'must have at most 65536 characters'));
const secretDescription = text(200);
const secretPath = z.object({ secret_name: z.string().min(1).max(100) });
const secretAnswer = z.object({ ok: z.literal(true), secret: organizationSecret });

export const listSecrets = operation({
  id: 'listSecrets',
  method: 'GET',
  path: '/v1/organization/secrets',
  tag: 'Organization',
  summary: 'List the secrets of the organization, without their values',
  access: 'admin',
  answer: z.object({ ok: z.literal(true), secrets: z.array(organizationSecret) }),
  errors: [],
});

export const createSecret = operation({
  id: 'createSecret',
  method: 'POST',
  path: '/v1/organization/secrets',
  tag: 'Organization',
  summary: 'Store a secret',
  description: 'The value is sealed and can be used by the platform, but never be read again.',
  access: 'admin',
  status: 201,
  body: z.object({ secretName, secretValue, description: secretDescription.optional() }),
  unknownFields: 'closed',
  answer: secretAnswer,
  errors: ['identifier_taken', 'limit_reached', 'too_many_requests'],
});

export const getSecret = operation({
  id: 'getSecret',
  method: 'GET',
  path: '/v1/organization/secrets/{secret_name}',
  tag: 'Organization',
  summary: 'Read what is known of a secret, without its value',
  access: 'admin',
  params: secretPath,
  answer: secretAnswer,
  errors: ['not_found'],
});

export const patchSecret = operation({
  id: 'patchSecret',
  method: 'PATCH',
  path: '/v1/organization/secrets/{secret_name}',
  tag: 'Organization',
  summary: 'Change the value or the description of a secret',
  access: 'admin',
  params: secretPath,
  body: z.object({
    secretValue: secretValue.optional(),
    description: secretDescription.nullable().optional(),
    /** Clients repeat the name (api contract §3.12); ignored. */
    secretName: z.unknown().optional(),
  }),
  unknownFields: 'closed',
  answer: secretAnswer,
  errors: ['not_found', 'too_many_requests'],
});

export const deleteSecret = operation({
  id: 'deleteSecret',
  method: 'DELETE',
  path: '/v1/organization/secrets/{secret_name}',
  tag: 'Organization',
  summary: 'Delete a secret',
  access: 'admin',
  params: secretPath,
  answer: done,
  errors: ['not_found'],
});

export const ownOrganizationOperations = [
  getOwnOrganization,
  replaceOwnOrganization,
  patchOwnOrganization,
  listSecrets,
  createSecret,
  getSecret,
  patchSecret,
  deleteSecret,
] as const;
