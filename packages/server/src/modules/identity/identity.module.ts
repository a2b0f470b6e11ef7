import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Route } from '../../platform/http/route.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import { createOrganization, type NewOrganization } from './create-organization.ts';
import { identityRoutes } from './identity.routes.ts';
import type { Organization } from './organization.ts';
import { createTokens, type Tokens } from './tokens.ts';

export interface IdentityOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** 32 bytes; tokens are signed with a key derived from it. */
  readonly masterKey: Buffer;
  /** Other modules' part of a new organization, in the same transaction. */
  readonly furnish: (work: Work, organization: Organization) => Promise<void>;
}

export interface IdentityDeps extends IdentityOptions {
  readonly tokens: Tokens;
}

export interface Identity {
  readonly authenticate: Authenticate;
  createOrganization(input: NewOrganization): ReturnType<typeof createOrganization>;
  readonly routes: Route[];
}

export function createIdentity(options: IdentityOptions): Identity {
  const deps: IdentityDeps = { ...options, tokens: createTokens(options.masterKey) };
  return {
    authenticate: createAuthenticate(deps),
    createOrganization: (input) => createOrganization(deps, input),
    routes: identityRoutes(deps),
  };
}
