import { z } from 'zod';
import { operation } from './operation.ts';
import { scopeList } from './scopes.ts';
import { secret } from './secret-fields.ts';
import { queryList, queryText, timestamp } from './wire.ts';

const daySeconds = 24 * 60 * 60;

/** Shown in lists and in the audit log. */
const credentialName = z.string().trim().min(1).max(100);

/** How long the old secret keeps working. */
const overlap = z.object({
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(30 * daySeconds)
    .default(0)
    .meta({ description: 'How long the old secret goes on working beside the new one; 0 ends it at once' }),
});

const apiToken = z.object({
  id: z.string(),
  name: z.string(),
  /** `["*"]` for everything that the owner may do. */
  scopes: z.array(z.string()),
  /** The last characters, to tell tokens apart. */
  hint: z.string(),
  /** An e-mail address, or the client id of a credential. */
  owner: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  /** When the token before the last rotation stops working. */
  overlapEndsAt: timestamp.nullable(),
});
export type ApiToken = z.output<typeof apiToken>;

const issuedToken = z.object({
  ok: z.literal(true),
  token: apiToken,
  accessToken: secret(z.string().meta({ description: 'The token itself: shown now and never again' })),
  expiresIn: z.number().int(),
  tokenType: z.literal('Bearer'),
});

const tokenId = z.object({ token_id: z.string().min(1).max(100) });

export const createApiToken = operation({
  id: 'createApiToken',
  method: 'POST',
  path: '/v1/users/me/tokens',
  tag: 'Credentials',
  summary: 'Create an API token of your own',
  description:
    'A token that is used like an access token and lives until `expiresAt` (30 days unless told, at most a year). It has the rights of its owner at each request, restricted to `scopes` such as `read:*`, `read:entities` or `invoke:ai`. It is shown once.',
  access: 'token',
  status: 201,
  body: z.object({
    name: credentialName,
    expiresAt: z.iso.datetime({ offset: true, error: 'must be an ISO date-time' }).optional(),
    scopes: scopeList.optional(),
  }),
  unknownFields: 'closed',
  answer: issuedToken,
  errors: ['identifier_taken', 'limit_reached', 'too_many_requests'],
});

export const listApiTokens = operation({
  id: 'listApiTokens',
  method: 'GET',
  path: '/v1/users/me/tokens',
  tag: 'Credentials',
  summary: 'List your own API tokens',
  access: 'token',
  answer: z.object({ ok: z.literal(true), tokens: z.array(apiToken) }),
  errors: [],
});

export const rotateApiToken = operation({
  id: 'rotateApiToken',
  method: 'POST',
  path: '/v1/users/me/tokens/{token_id}/rotate',
  tag: 'Credentials',
  summary: 'Replace an API token of your own by a new one',
  description: 'Name, scopes and expiry stay. A token before the replaced one ends at once.',
  access: 'token',
  scope: 'update:tokens',
  params: tokenId,
  body: overlap,
  unknownFields: 'closed',
  answer: issuedToken,
  errors: ['not_found', 'too_many_requests'],
});

export const revokeApiToken = operation({
  id: 'revokeApiToken',
  method: 'DELETE',
  path: '/v1/users/me/tokens/{token_id}',
  tag: 'Credentials',
  summary: 'Revoke an API token of your own',
  description: 'It is refused within a second, on every replica. A token may revoke itself.',
  access: 'token',
  params: tokenId,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const listOrganizationTokens = operation({
  id: 'listOrganizationTokens',
  method: 'GET',
  path: '/v1/organization/tokens',
  tag: 'Credentials',
  summary: 'List the API tokens of everybody in the organization',
  access: 'admin',
  answer: z.object({ ok: z.literal(true), tokens: z.array(apiToken) }),
  errors: [],
});

export const revokeOrganizationToken = operation({
  id: 'revokeOrganizationToken',
  method: 'DELETE',
  path: '/v1/organization/tokens/{token_id}',
  tag: 'Credentials',
  summary: "Revoke anybody's API token",
  access: 'admin',
  params: tokenId,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

const app = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  role: z.enum(['Admin', 'Member']),
  scopes: z.array(z.string()),
  /** Only in the answer that created it. */
  secret: secret(z.string()).optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  overlapEndsAt: timestamp.nullable(),
});
export type App = z.output<typeof app>;

const appId = z.object({ app_id: z.string().min(1).max(500) });
const appAnswer = z.object({ ok: z.literal(true), app });

export const listApps = operation({
  id: 'listApps',
  method: 'GET',
  path: '/v1/apps',
  tag: 'Credentials',
  summary: 'List the credentials of the organization',
  description: 'Secrets are never shown again after they were made. `fields` narrows what is answered of each.',
  access: 'admin',
  query: z.object({ fields: queryList() }),
  answer: z.object({ ok: z.literal(true), apps: z.array(app.partial()) }),
  errors: [],
});

export const createApp = operation({
  id: 'createApp',
  method: 'POST',
  path: '/v1/apps',
  tag: 'Credentials',
  summary: 'Create credentials of the organization',
  description: 'Answers the client id as `id` and the client secret as `secret`, once.',
  access: 'admin',
  status: 201,
  body: z.object({
    name: credentialName,
    role: z.enum(['Admin', 'Member']).default('Admin'),
    scopes: scopeList.optional(),
  }),
  unknownFields: 'closed',
  answer: appAnswer,
  errors: ['identifier_taken', 'limit_reached', 'too_many_requests'],
});

export const renameApp = operation({
  id: 'renameApp',
  method: 'PUT',
  path: '/v1/apps/{app_id}',
  tag: 'Credentials',
  summary: 'Rename credentials of the organization',
  access: 'admin',
  params: appId,
  body: z.object({ name: credentialName }),
  unknownFields: 'closed',
  answer: appAnswer,
  errors: ['not_found', 'identifier_taken'],
});

export const rotateAppSecret = operation({
  id: 'rotateAppSecret',
  method: 'POST',
  path: '/v1/apps/{app_id}/rotate-secret',
  tag: 'Credentials',
  summary: 'Give credentials of the organization a new secret',
  description:
    'The old secret, and every access token that was made with it, ends when the overlap ends. A secret before the replaced one ends at once.',
  access: 'admin',
  scope: 'update:apps',
  params: appId,
  body: overlap,
  unknownFields: 'closed',
  answer: appAnswer,
  errors: ['not_found', 'too_many_requests'],
});

export const setAppPermissions = operation({
  id: 'setAppPermissions',
  method: 'POST',
  path: '/v1/apps/{app_id}/permissions',
  tag: 'Credentials',
  summary: 'Restrict credentials of the organization to scopes',
  access: 'admin',
  scope: 'update:apps',
  params: appId,
  body: z.object({ permissions: scopeList }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'credential_in_use', 'last_admin_credential'],
});

export const deleteApp = operation({
  id: 'deleteApp',
  method: 'DELETE',
  path: '/v1/apps/{app_id}',
  tag: 'Credentials',
  summary: 'Delete credentials of the organization',
  access: 'admin',
  scope: 'update:apps',
  params: appId,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'credential_in_use', 'last_admin_credential'],
});

export const rotateCredentials = operation({
  id: 'rotateCredentials',
  method: 'POST',
  path: '/v1/rotate-credentials/{user_email}',
  tag: 'Credentials',
  summary: 'Give a user a new client id and secret',
  description:
    'For administrators, and for users themselves. The credentials the user had end when the overlap ends. The new ones are shown once.',
  access: 'token',
  scope: 'update:users',
  params: z.object({ user_email: z.string().min(1).max(1000) }),
  body: overlap,
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    credentials: z.object({ clientId: z.string(), clientSecret: secret(z.string()) }),
  }),
  errors: ['missing_permissions', 'not_found', 'too_many_requests'],
});

export const getPermissions = operation({
  id: 'getPermissions',
  method: 'GET',
  path: '/v1/auth/permissions',
  tag: 'Authentication',
  summary: 'List the scopes of the caller',
  description:
    'What the role of the caller allows, as far as the token is not restricted. Rights on single blueprints narrow it further. `action_version=v2` adds the actions that the caller may run, on everything or on what their teams own.',
  access: 'token',
  scope: null,
  query: z.object({ action_version: queryText() }),
  answer: z.object({ ok: z.literal(true), permissions: z.array(z.string()) }),
  errors: [],
});

export const credentialOperations = [
  getPermissions,
  createApiToken,
  listApiTokens,
  rotateApiToken,
  revokeApiToken,
  listOrganizationTokens,
  revokeOrganizationToken,
  listApps,
  createApp,
  renameApp,
  rotateAppSecret,
  setAppPermissions,
  deleteApp,
  rotateCredentials,
] as const;
