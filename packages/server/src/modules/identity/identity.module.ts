import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Route } from '../../platform/http/route.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import {
  createFirstOrganization,
  createOrganization,
  type Furnish,
  type NewOrganization,
} from './create-organization.ts';
import { identityRoutes } from './identity.routes.ts';
import { identityTools } from './identity.tools.ts';
import { createTokens, type Tokens } from './tokens.ts';

export interface IdentityOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** 32 bytes; tokens are signed with a key derived from it. */
  readonly masterKey: Buffer;
  readonly furnish: Furnish;
}

export interface IdentityDeps extends IdentityOptions {
  readonly tokens: Tokens;
}

export interface Identity {
  readonly authenticate: Authenticate;
  createOrganization(input: NewOrganization): ReturnType<typeof createOrganization>;
  createFirstOrganization(input: NewOrganization, fill: Furnish): ReturnType<typeof createFirstOrganization>;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
}

export function createIdentity(options: IdentityOptions): Identity {
  const deps: IdentityDeps = { ...options, tokens: createTokens(options.masterKey) };
  return {
    authenticate: createAuthenticate(deps),
    createOrganization: (input) => createOrganization(deps, input),
    createFirstOrganization: (input, fill) => createFirstOrganization(deps, input, fill),
    routes: identityRoutes(deps),
    tools: identityTools(deps),
  };
}
