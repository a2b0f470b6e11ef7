import * as contract from '@portolan/contract/credentials';
import type { Actor } from '../../platform/actor.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { listApiTokenRows } from './api-tokens/api-token.store.ts';
import { createApiToken } from './api-tokens/create-api-token.ts';
import { presentToken } from './api-tokens/present-token.ts';
import { revokeApiToken } from './api-tokens/revoke-api-token.ts';
import { rotateApiToken } from './api-tokens/rotate-api-token.ts';
import { tokenOwner } from './api-tokens/token-owner.ts';
import { listAppRows } from './apps/app.store.ts';
import { presentApp } from './apps/apps.ts';
import { renameApp, setAppScopes } from './apps/change-app.ts';
import { createApp } from './apps/create-app.ts';
import { deleteApp } from './apps/delete-app.ts';
import { rotateAppSecret } from './apps/rotate-app-secret.ts';
import { rotateCredentials } from './apps/rotate-credentials.ts';
import { callerScopes } from './caller-scopes.ts';
import type { IdentityDeps } from './identity.deps.ts';

export function credentialsRoutes(deps: IdentityDeps): Route[] {
  const { lastUsed } = deps;
  return [
    route(contract.getPermissions, async ({ query }, { actor }) => ({
      permissions: [...callerScopes(actor), ...(query.action_version === 'v2' ? await deps.actionScopes(actor) : [])],
    })),
    route(contract.createApiToken, ({ body }, { actor }) => createApiToken(deps, counted(deps, actor), body)),
    route(contract.listApiTokens, async (_input, { actor }) => ({
      tokens: await listTokens(deps, actor, tokenOwner(actor)),
    })),
    route(contract.rotateApiToken, ({ params, body }, { actor }) =>
      rotateApiToken(deps, counted(deps, actor), { id: params.token_id, ...body }),
    ),
    route(contract.revokeApiToken, async ({ params }, { actor }) => {
      await revokeApiToken(deps, actor, params.token_id, 'own');
      return {};
    }),
    route(contract.listOrganizationTokens, async (_input, { actor }) => ({
      tokens: await listTokens(deps, actor, undefined),
    })),
    route(contract.revokeOrganizationToken, async ({ params }, { actor }) => {
      await revokeApiToken(deps, actor, params.token_id, 'anybody');
      return {};
    }),
    route(contract.listApps, async ({ query }, { actor }) => {
      await lastUsed.flush();
      const apps = await listAppRows(deps.database, actor.orgId);
      return { apps: apps.map((app) => narrowTo(query.fields, presentApp(app, deps.clock.now()))) };
    }),
    route(contract.createApp, ({ body }, { actor }) => createApp(deps, counted(deps, actor), body)),
    route(contract.renameApp, ({ params, body }, { actor }) =>
      renameApp(deps, actor, { clientId: params.app_id, name: body.name }),
    ),
    route(contract.rotateAppSecret, ({ params, body }, { actor }) =>
      rotateAppSecret(deps, counted(deps, actor), { clientId: params.app_id, ...body }),
    ),
    route(contract.setAppPermissions, async ({ params, body }, { actor }) => {
      await setAppScopes(deps, actor, { clientId: params.app_id, scopes: body.permissions });
      return {};
    }),
    route(contract.deleteApp, async ({ params }, { actor }) => {
      await deleteApp(deps, actor, params.app_id);
      return {};
    }),
    route(contract.rotateCredentials, ({ params, body }, { actor }) =>
      rotateCredentials(deps, counted(deps, actor), { email: params.user_email, ...body }),
    ),
  ];
}

/** Last-used moments are written in batches; this replica's are flushed first. */
async function listTokens(
  { database, clock, lastUsed }: IdentityDeps,
  actor: Actor,
  owner: Parameters<typeof listApiTokenRows>[2],
) {
  await lastUsed.flush();
  const now = clock.now();
  const tokens = await listApiTokenRows(database, actor.orgId, owner, now);
  return tokens.map((token) => presentToken(token, now));
}

/** Counts credentials made by a caller. @throws AppError `too_many_requests` */
function counted({ makings }: IdentityDeps, actor: Actor): Actor {
  makings.take(`${actor.orgId} ${actor.id}`);
  return actor;
}

/** The requested fields that exist; all if none is requested. */
function narrowTo<Whole extends object>(fields: readonly string[] | undefined, whole: Whole): Partial<Whole> {
  if (!fields) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => fields.includes(name))) as Partial<Whole>;
}
