import type { McpScope } from '@portolan/contract/mcp-scopes';
import { mcpScopes } from '@portolan/contract/mcp-scopes';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { neededMcpScopes } from '../../platform/tools/mcp-scopes.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import { findOrganization } from '../organizations/index.ts';
import type { ConnectedAppsDeps } from './connected-apps.deps.ts';
import { countGrants, deleteShutGrant, putGrant } from './grant.store.ts';
import {
  type AuthorizationRequest,
  codeAddress,
  readAuthorizationRequest,
  refusalAddress,
} from './oauth/authorization-request.ts';
import { refusedRequest } from './oauth/oauth.surface.ts';
import { newOauthProof } from './oauth/oauth-tokens.ts';
import { isLoopback, shownHost } from './oauth/redirect-address.ts';
import { mcpResource } from './oauth/resource.ts';
import { insertCode } from './token.store.ts';

const codeMs = 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
const grantsMax = 100;
const examplesMax = 6;

/** What a person could allow an app, as its scopes group it. */
export interface Offer {
  readonly scope: McpScope;
  readonly isAsked: boolean;
  readonly tools: number;
  readonly examples: readonly string[];
}

/**
 * What the page shows before a person decides.
 * @throws AppError `missing_permissions`, `invalid_request`
 */
export async function describeAuthorization(deps: ConnectedAppsDeps, actor: Actor, query: string) {
  const { organization, asker } = await requireSession(deps, actor);
  const request = await readAgain(deps, query, asker);
  return {
    client: {
      name: request.clientName,
      redirectHost: shownHost(request.redirectUri),
      isOnThisMachine: isLoopback(request.redirectUri),
    },
    organization,
    offers: offersOf(request, await deps.toolsOf(actor)),
  };
}

/** A tool stands where the greatest of its scopes does. Groups that would allow nothing are not offered. */
function offersOf({ scopes }: AuthorizationRequest, tools: readonly ToolDeclaration[]): Offer[] {
  return mcpScopes.flatMap((scope) => {
    const group = tools.filter((tool) => neededMcpScopes(tool).at(-1) === scope);
    if (group.length === 0) return [];
    const examples = group.slice(0, examplesMax).map(({ title }) => title);
    return { scope, isAsked: scopes.includes(scope), tools: group.length, examples };
  });
}

export interface Decision {
  readonly request: string;
  readonly decision: 'allow' | 'deny';
  readonly scopes: readonly McpScope[];
  readonly days: number;
}

/**
 * Stores what a person allowed, or nothing, and answers where the browser goes next.
 * @throws AppError `missing_permissions`, `invalid_request`, `limit_reached`
 */
export async function decideAuthorization(deps: ConnectedAppsDeps, actor: Actor, decided: Decision): Promise<string> {
  const { user, asker } = await requireSession(deps, actor);
  if (decided.decision === 'deny') {
    const read = await readAuthorizationRequest(deps, new URLSearchParams(decided.request), asker);
    if (read.kind === 'returned') return read.location;
  }
  const request = await readAgain(deps, decided.request, asker);
  if (decided.decision === 'deny') {
    return refusalAddress(deps, request, 'access_denied', 'The person did not let the app in');
  }
  if (decided.scopes.length === 0) throw invalidRequest([{ path: '/scopes', message: 'must name at least one' }]);
  const scopes = mcpScopes.filter((scope) => decided.scopes.includes(scope));
  const code = newOauthProof('code', actor.orgId);
  const newGrantId = newId('app_');
  await deps.unitOfWork(actor, async ({ tx, now, record }) => {
    const { clientHash, clientName, redirectUri, challenge } = request;
    await deleteShutGrant(tx, actor.orgId, user, clientHash);
    const grantId = await putGrant(tx, actor.orgId, user, {
      id: newGrantId,
      clientHash,
      clientName,
      redirectHost: shownHost(redirectUri),
      resource: mcpResource(deps.publicUrl()),
      scopes,
      createdAt: now,
      expiresAt: new Date(now.getTime() + decided.days * dayMs),
    });
    if (grantId === undefined) throw new AppError('unauthorized', 'The session has ended; sign in again');
    if ((await countGrants(tx, actor.orgId, user)) > grantsMax) {
      throw new AppError('limit_reached', `You let in ${grantsMax} apps already. Shut out those that you do not use`);
    }
    const expiresAt = new Date(now.getTime() + codeMs);
    const { id, secretHash } = code;
    await insertCode(tx, { orgId: actor.orgId, id, grantId, secretHash, challenge, redirectUri, scopes, expiresAt });
    record({
      event: 'connected-app.allowed',
      action: 'CREATE',
      resourceType: 'token',
      identifier: grantId,
      context: {},
      after: { app: clientName, redirectHost: shownHost(redirectUri), scopes, days: decided.days, user },
    });
  });
  return codeAddress(deps, request, code.text);
}

/**
 * A token lets nobody in: only a person does, in the portal, at home. A session in the demo ends with the one it was
 * entered from, which no grant would notice.
 */
async function requireSession({ database }: ConnectedAppsDeps, { orgId, userId, origin }: Actor) {
  if (origin !== 'UI' || userId === undefined) {
    throw new AppError('missing_permissions', 'Only a person who is signed in to the portal lets apps in');
  }
  const organization = await findOrganization(database, orgId);
  if (!organization || organization.demoOf !== null) {
    throw new AppError('missing_permissions', 'Apps are let into your own organization; leave the demo first');
  }
  return { user: userId, asker: `${orgId} ${userId}`, organization: { id: organization.id, name: organization.name } };
}

/** The page could have changed the query. @throws AppError `invalid_request` */
async function readAgain(deps: ConnectedAppsDeps, query: string, asker: string): Promise<AuthorizationRequest> {
  const read = await readAuthorizationRequest(deps, new URLSearchParams(query), asker);
  if (read.kind === 'valid') return read.request;
  if (read.kind === 'refused') throw refusedRequest(read.problem, '/request');
  const told = new URL(read.location).searchParams.get('error_description');
  throw invalidRequest([{ path: '/request', message: `cannot be decided: ${told}` }]);
}
