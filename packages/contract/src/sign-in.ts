import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { queryBoolean, queryText, timestamp } from './wire.ts';

const tag = 'Sign-in';
const address = z.string().min(1).max(320);
/** The length makes guessing hopeless at the allowed rate; any characters. */
const newPassword = secret(z.string().min(8, { error: 'must have at least 8 characters' }).max(1000));
const organization = z.string().min(1).max(100).optional().meta({
  description: 'The id of the organization; the first one of the installation unless told',
});

const session = z.object({
  id: z.string(),
  method: z.enum(['password', 'sso']),
  createdAt: timestamp,
  lastSeenAt: timestamp,
  expiresAt: timestamp,
  userAgent: z.string(),
  address: z.string(),
  /** Whether this request used it. */
  isCurrent: z.boolean(),
});

const identity = z.object({
  ok: z.literal(true),
  user: z
    .object({
      email: z.string(),
      name: z.string().nullable(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      picture: z.string().nullable(),
      status: z.string(),
      teams: z.array(z.object({ identifier: z.string(), name: z.string() })),
    })
    .nullable()
    .meta({ description: 'null for credentials of the organization' }),
  roles: z.array(z.string()),
  access: z.array(z.enum(['token', 'admin'])).meta({
    description: 'The kinds of operations that are open to you; what you may do with a thing, the answers about it say',
  }),
  organization: z.object({
    id: z.string(),
    name: z.string(),
    /** A demo organization beside that of its people. */
    isDemo: z.boolean(),
  }),
  otherOrganization: z
    .object({ id: z.string(), name: z.string(), isDemo: z.boolean() })
    .nullable()
    .meta({ description: 'The organization that a session may enter from here: the demo beside the own one, or back' }),
  session: session.nullable(),
  csrfToken: secret(
    z.string().nullable().meta({ description: 'With a session: what every request but GET sends as `X-CSRF-Token`' }),
  ),
});

const signedIn = identity.meta({ description: 'The session is in a cookie of the answer' });

export const getSignInOptions = operation({
  id: 'getSignInOptions',
  method: 'GET',
  path: '/v1/auth/options',
  tag,
  summary: 'Look how people can sign in',
  access: 'public',
  query: z.object({ organization: queryText() }),
  answer: z.object({
    ok: z.literal(true),
    password: z.boolean(),
    sso: z.object({ url: z.string(), issuer: z.string() }).nullable(),
  }),
  errors: [],
});

export const signIn = operation({
  id: 'signIn',
  method: 'POST',
  path: '/v1/auth/sign-in',
  tag,
  summary: 'Sign in with an e-mail address and a password',
  description:
    'Sets the session cookie, always a new one. Unknown addresses, wrong passwords and disabled users get the same answer after the same work.',
  access: 'public',
  body: z.object({ email: address, password: secret(z.string().min(1).max(1000)), organization }),
  unknownFields: 'closed',
  answer: signedIn,
  errors: ['unauthorized', 'csrf_token_invalid', 'too_many_requests', 'user_limit_reached'],
});

export const signOut = operation({
  id: 'signOut',
  method: 'POST',
  path: '/v1/auth/sign-out',
  tag,
  summary: 'End the session that the request is made with',
  access: 'token',
  scope: 'delete:tokens',
  answer: z.object({ ok: z.literal(true) }),
  errors: ['csrf_token_invalid'],
});

export const getOwnIdentity = operation({
  id: 'getOwnIdentity',
  method: 'GET',
  path: '/v1/auth/me',
  tag,
  summary: 'Look who the request is made as',
  access: 'token',
  scope: null,
  answer: identity,
  errors: [],
});

export const enterOrganization = operation({
  id: 'enterOrganization',
  method: 'POST',
  path: '/v1/auth/organizations/{organization_id}/enter',
  tag,
  summary: 'Go on in the demo organization beside your own, or back in your own',
  description:
    'For a session of the portal: it gets a new cookie. In the demo you are who you are at home, an administrator if you are one there. The session in the demo lives no longer than the one it was entered from.',
  access: 'token',
  scope: 'update:tokens',
  params: z.object({ organization_id: z.string().min(1).max(100) }),
  answer: signedIn,
  errors: ['not_found', 'missing_permissions', 'csrf_token_invalid', 'user_limit_reached'],
});

export const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/v1/auth/sessions',
  tag,
  summary: 'List your own sessions',
  access: 'token',
  scope: 'read:tokens',
  answer: z.object({ ok: z.literal(true), sessions: z.array(session) }),
  errors: [],
});

export const revokeSession = operation({
  id: 'revokeSession',
  method: 'DELETE',
  path: '/v1/auth/sessions/{session_id}',
  tag,
  summary: 'End one of your own sessions',
  description: 'It is refused within a second, on every replica.',
  access: 'token',
  scope: 'delete:tokens',
  params: z.object({ session_id: z.string().min(1).max(100) }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'missing_permissions', 'csrf_token_invalid'],
});

export const revokeSessions = operation({
  id: 'revokeSessions',
  method: 'DELETE',
  path: '/v1/auth/sessions',
  tag,
  summary: 'End all your own sessions but the present one',
  access: 'token',
  scope: 'delete:tokens',
  query: z.object({ include_current: queryBoolean() }),
  answer: z.object({ ok: z.literal(true), revoked: z.number().int() }),
  errors: ['missing_permissions', 'csrf_token_invalid'],
});

export const changePassword = operation({
  id: 'changePassword',
  method: 'PUT',
  path: '/v1/auth/password',
  tag,
  summary: 'Change your own password',
  description: 'Every other session of yours ends, and the present one goes on under a new cookie.',
  access: 'token',
  scope: 'update:tokens',
  body: z.object({ currentPassword: secret(z.string().min(1).max(1000)), newPassword }),
  unknownFields: 'closed',
  answer: identity,
  errors: ['missing_permissions', 'csrf_token_invalid', 'too_many_requests', 'sign_in_refused'],
});

export const createPasswordLink = operation({
  id: 'createPasswordLink',
  method: 'POST',
  path: '/v1/auth/password-links',
  tag,
  summary: 'Make a link with which a user sets a password, once',
  description:
    'For people who were invited and for people who forgot theirs. It lives for three days; a new one ends those before. Hand it over yourself: whoever has it can sign in as the user.',
  access: 'admin',
  scope: 'create:users',
  status: 201,
  body: z.object({ email: address }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), url: secret(z.string()), token: secret(z.string()), expiresAt: timestamp }),
  errors: ['not_found', 'csrf_token_invalid', 'too_many_requests'],
});

export const redeemPasswordLink = operation({
  id: 'redeemPasswordLink',
  method: 'POST',
  path: '/v1/auth/password-links/redeem',
  tag,
  summary: 'Set a password with a link, and sign in',
  description: 'Sessions that the user had end.',
  access: 'public',
  body: z.object({ token: secret(z.string().min(1).max(500)), password: newPassword }),
  unknownFields: 'closed',
  answer: signedIn,
  errors: ['unauthorized', 'csrf_token_invalid', 'too_many_requests', 'user_limit_reached'],
});

const redirected = z.object({ ok: z.literal(true), location: z.string() });

export const startSso = operation({
  id: 'startSso',
  method: 'GET',
  path: '/v1/auth/oidc/start',
  tag,
  summary: 'Begin a sign-in at the identity provider',
  description: 'For browsers: answers with a redirect to the provider. `return_to` is a path of the portal.',
  access: 'public',
  query: z.object({ organization: queryText(), return_to: queryText() }),
  status: 302,
  answer: redirected,
  errors: ['not_found', 'sso_provider_unavailable', 'too_many_requests'],
});

export const finishSso = operation({
  id: 'finishSso',
  method: 'GET',
  path: '/v1/auth/oidc/callback',
  tag,
  summary: 'Come back from the identity provider',
  description:
    'Where the provider sends the browser. Every attempt comes back once, in the browser that began it, within ten minutes. A browser that asks for a page is sent to `/sign-in?error=<code>` instead of getting an error body.',
  access: 'public',
  query: z.looseObject({ state: queryText() }),
  status: 302,
  answer: redirected,
  errors: ['sign_in_refused', 'sso_provider_unavailable', 'too_many_requests', 'user_limit_reached'],
});

const claimName = z.string().min(1).max(200);
const connection = z.object({
  issuer: z.string(),
  clientId: z.string(),
  hasClientSecret: z.boolean(),
  scopes: z.array(z.string()),
  groupsClaim: z.string(),
  groupTeams: z.array(z.object({ group: z.string(), team: z.string() })),
  createUsers: z.boolean(),
  createTeams: z.boolean(),
  domains: z.array(z.string()),
  redirectUri: z.string().meta({ description: 'To be registered at the provider' }),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
const connectionAnswer = z.object({ ok: z.literal(true), connection });

export const getSsoConnection = operation({
  id: 'getSsoConnection',
  method: 'GET',
  path: '/v1/auth/sso',
  tag,
  summary: "Look at the organization's single sign-on",
  access: 'admin',
  scope: 'read:organization',
  answer: connectionAnswer,
  errors: ['not_found'],
});

export const putSsoConnection = operation({
  id: 'putSsoConnection',
  method: 'PUT',
  path: '/v1/auth/sso',
  tag,
  summary: "Set the organization's single sign-on",
  description:
    'The provider is asked for its configuration first; nothing is stored if it does not answer. The client secret is sealed and never answered; left out, the stored one stays as long as issuer and client id do.',
  access: 'admin',
  scope: 'update:organization',
  body: z.object({
    issuer: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).max(1000),
    clientId: z.string().min(1).max(500),
    clientSecret: secret(z.string().min(1).max(2000)).nullable().optional(),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope of OAuth'))
      .max(50)
      .default(['openid', 'email', 'profile']),
    groupsClaim: claimName.default('groups'),
    groupTeams: z
      .array(z.object({ group: claimName, team: claimName }).strict())
      .max(1000)
      .default([]),
    createUsers: z.boolean().default(true),
    createTeams: z.boolean().default(true),
    domains: z
      .array(
        z
          .string()
          .min(1)
          .max(255)
          .regex(/^[^@\s]+$/, 'must be a domain such as example.com'),
      )
      .max(100)
      .default([])
      .meta({ description: 'Domains whose addresses may sign in; empty for all that the provider vouches for' }),
  }),
  unknownFields: 'closed',
  answer: connectionAnswer,
  errors: ['csrf_token_invalid', 'sso_provider_unavailable'],
});

export const deleteSsoConnection = operation({
  id: 'deleteSsoConnection',
  method: 'DELETE',
  path: '/v1/auth/sso',
  tag,
  summary: "Remove the organization's single sign-on, and end the sessions that began with it",
  access: 'admin',
  scope: 'update:organization',
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'csrf_token_invalid'],
});

export const signInOperations = [
  getSignInOptions,
  signIn,
  signOut,
  getOwnIdentity,
  enterOrganization,
  listSessions,
  revokeSession,
  revokeSessions,
  changePassword,
  createPasswordLink,
  redeemPasswordLink,
  startSso,
  finishSso,
  getSsoConnection,
  putSsoConnection,
  deleteSsoConnection,
] as const;
