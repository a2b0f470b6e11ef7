import * as contract from '@portolan/contract/connected-apps';
import type { Actor } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { Surface } from '../../platform/http/server.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { createLimiter } from '../identity/index.ts';
import { type AuthenticateApp, createAuthenticateApp } from './authenticate-app.ts';
import type { ConnectedAppsDeps, ConnectedAppsOptions } from './connected-apps.deps.ts';
import { decideAuthorization, describeAuthorization } from './decide-authorization.ts';
import { endGrant } from './end-grant.ts';
import { type GrantRow, listGrants } from './grant.store.ts';
import { createClientDocuments } from './oauth/client-documents.ts';
import { createOauthSurface } from './oauth/oauth.surface.ts';
import { isAppToken } from './oauth/oauth-tokens.ts';
import { createRegistrations } from './oauth/registrations.ts';
import { tidyConnectedApps } from './tidy.ts';

/** Programs that people let in over OAuth, to speak MCP for them. */
export interface ConnectedApps {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  /** The authorization server. */
  readonly surface: Surface;
  /** Whether a header carries an access token of an app, good or not. */
  readonly recognizes: (authorization: string | undefined) => boolean;
  readonly authenticate: AuthenticateApp;
}

/** A person connects a few apps; a machine that registers without end is slowed down, and leaves nothing behind. */
const registeringLimit = { burst: 20, perMinute: 10 };
/** Each person may let in a few apps in a row; an address that answers is not fetched again for minutes. */
const fetchingLimit = { burst: 20, perMinute: 10 };
const exchangingLimit = { burst: 120, perMinute: 60 };

export function createConnectedApps(options: ConnectedAppsOptions): ConnectedApps {
  const deps: ConnectedAppsDeps = {
    ...options,
    registrations: createRegistrations(options.masterKey),
    documents: createClientDocuments({ ...options, fetching: createLimiter(fetchingLimit, options.clock) }),
    registering: createLimiter(registeringLimit, options.clock),
    exchanging: createLimiter(exchangingLimit, options.clock),
  };
  return {
    routes: connectedAppsRoutes(deps),
    jobs: [tidyConnectedApps(deps)],
    surface: createOauthSurface(deps),
    recognizes: isAppToken,
    authenticate: createAuthenticateApp(deps),
  };
}

function connectedAppsRoutes(deps: ConnectedAppsDeps): Route[] {
  const { database, clock, unitOfWork } = deps;
  return [
    route(contract.describeAuthorization, async ({ body }, { actor }) => {
      const { offers, ...described } = await describeAuthorization(deps, actor, body.request);
      return {
        ...described,
        offers: offers.map((offer) => ({ ...offer, examples: [...offer.examples] })),
        daysMax: contract.connectedDaysMax,
      };
    }),
    route(contract.decideAuthorization, async ({ body }, { actor }) => ({
      location: await decideAuthorization(deps, actor, body),
    })),
    route(contract.listConnectedApps, async (_input, { actor }) => {
      const { userId } = actor;
      const grants = userId === undefined ? [] : await listGrants(database, actor.orgId, userId, clock.now());
      return { apps: grants.map(presentGrant) };
    }),
    route(contract.revokeConnectedApp, async ({ params }, { actor }) => {
      const ended = await unitOfWork(actor, (work) => endGrant(work, params.app_id, { of: requirePerson(actor) }));
      if (!ended) throw notFound('Connected app', params.app_id, 'id');
      return {};
    }),
  ];
}

function requirePerson({ userId }: Actor): string {
  if (userId !== undefined) return userId;
  throw new AppError('missing_permissions', 'Only people let apps in; these are credentials of the organization');
}

function presentGrant({ id, clientName, redirectHost, scopes, createdAt, expiresAt, lastUsedAt }: GrantRow) {
  return {
    id,
    name: clientName,
    redirectHost,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
