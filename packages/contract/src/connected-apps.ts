import { z } from 'zod';
import { mcpScopes } from './mcp-scopes.ts';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { timestamp } from './wire.ts';

const tag = 'Sign-in';
const mcpScope = z.enum(mcpScopes);

/** For how many days a person may allow an app at most. */
export const connectedDaysMax = 30;

const request = z.string().min(1).max(8000).meta({
  description: 'The query with which the app sent the browser to `/oauth/authorize`, as it is',
});

const connectedApp = z.object({
  id: z.string(),
  name: z.string().meta({ description: 'As the app calls itself; nobody vouches for it' }),
  redirectHost: z.string().meta({ description: 'Where the app was let in' }),
  scopes: z.array(mcpScope),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});

export const describeAuthorization = operation({
  id: 'describeAuthorization',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/auth/authorizations/describe',
  tag,
  summary: 'Look what an app asks for before you let it in',
  description: 'For a session of the portal: its page asks this before a person decides.',
  access: 'token',
  scope: 'read:tokens',
  body: z.object({ request }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    client: z.object({
      name: z.string(),
      redirectHost: z.string(),
      isOnThisMachine: z.boolean().meta({ description: 'Whether the answer goes to a program on the same machine' }),
    }),
    organization: z.object({ id: z.string(), name: z.string() }),
    offers: z
      .array(
        z.object({
          scope: mcpScope,
          isAsked: z.boolean(),
          tools: z.number().int(),
          examples: z.array(z.string()).meta({ description: 'Titles of some of the tools' }),
        }),
      )
      .meta({ description: 'What you could allow: what the app did not ask for is here too' }),
    daysMax: z.number().int(),
  }),
  errors: ['missing_permissions', 'csrf_token_invalid'],
});

export const decideAuthorization = operation({
  id: 'decideAuthorization',
  method: 'POST',
  path: '/v1/auth/authorizations',
  tag,
  summary: 'Let an app in, or turn it away',
  description:
    'For a session of the portal. `location` is where the browser goes next: the address of the app, with a code that works once within a minute, or with a refusal.',
  access: 'token',
  scope: 'create:tokens',
  body: z.object({
    request,
    decision: z.enum(['allow', 'deny']),
    scopes: z.array(mcpScope).max(mcpScopes.length).default([]),
    days: z.number().int().min(1).max(connectedDaysMax).default(connectedDaysMax),
  }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), location: secret(z.string()) }),
  errors: ['missing_permissions', 'csrf_token_invalid', 'limit_reached'],
});

export const listConnectedApps = operation({
  id: 'listConnectedApps',
  method: 'GET',
  path: '/v1/auth/connected-apps',
  tag,
  summary: 'List the apps that you let in',
  access: 'token',
  scope: 'read:tokens',
  answer: z.object({ ok: z.literal(true), apps: z.array(connectedApp) }),
  errors: [],
});

export const revokeConnectedApp = operation({
  id: 'revokeConnectedApp',
  method: 'DELETE',
  path: '/v1/auth/connected-apps/{app_id}',
  tag,
  summary: 'Shut out an app that you let in',
  description: 'Its next request is refused, on every replica.',
  access: 'token',
  scope: 'delete:tokens',
  params: z.object({ app_id: z.string().min(1).max(100) }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'missing_permissions', 'csrf_token_invalid'],
});

export const connectedAppOperations = [
  describeAuthorization,
  decideAuthorization,
  listConnectedApps,
  revokeConnectedApp,
] as const;
