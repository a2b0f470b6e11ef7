import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Route } from '../../platform/http/route.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { type AttemptLimits, createAttemptLimits, createLimiter, type Limiter } from './attempt-limits.ts';
import { type Authenticate, createAuthenticate, type LimitByMapping } from './authenticate.ts';
import {
  createFirstOrganization,
  createOrganization,
  type Furnish,
  type NewOrganization,
} from './create-organization.ts';
import { credentialsRoutes } from './credentials.routes.ts';
import { identityRoutes } from './identity.routes.ts';
import { identityTools } from './identity.tools.ts';
import { createLastUsed, type LastUsed } from './last-used.ts';
import { organizationRoutes } from './organization.routes.ts';
import { createSealer, type Sealer } from './secrets/sealer.ts';
import { signingSecret } from './secrets/signing-secret.ts';
import { revealSecret, revealSecrets } from './secrets/write-secret.ts';
import { createTokens, type Tokens } from './tokens.ts';
import type { FollowCutover } from './update-organization.ts';

export interface IdentityOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** 32 bytes; tokens are signed with a key derived from it. */
  readonly masterKey: Buffer;
  readonly furnish: Furnish;
  /** What the caller may do with single actions, as scopes; the actions are a module above this one. */
  readonly actionScopes: (actor: Actor) => Promise<string[]>;
  /** Told when the operator changes the cutover of an organization, in the same transaction. */
  readonly followCutover?: FollowCutover;
  /** The actor of a request with no more than the mapping of an integration lends it; a module above this one knows. */
  readonly limitByMapping: LimitByMapping;
  /** Told of every secret that is opened. */
  readonly onSecretOpened?: ((value: string) => void) | undefined;
  /** Told of what goes wrong behind the requests. */
  readonly log: { warn(details: object, message: string): void };
}

export interface IdentityDeps extends IdentityOptions {
  readonly tokens: Tokens;
  readonly sealer: Sealer;
  readonly lastUsed: LastUsed;
  readonly attempts: AttemptLimits;
  /** Bounds how many credentials and secrets one caller makes. */
  readonly makings: Limiter;
}

export interface Identity {
  readonly authenticate: Authenticate;
  createOrganization(input: NewOrganization): ReturnType<typeof createOrganization>;
  createFirstOrganization(input: NewOrganization, fill: Furnish): ReturnType<typeof createFirstOrganization>;
  /** The value of an organization's secret, for the platform's own use; undefined if there is none of that name. */
  secretValue(orgId: string, name: string, opened: SecretScope): Promise<string | undefined>;
  /** The values of all its secrets by their names, for templates. */
  secretsOf(orgId: string, opened: SecretScope): Promise<Readonly<Record<string, string>>>;
  /** The client secret that signs what the organization sends; undefined where none was kept. */
  signingSecretOf(orgId: string, opened: SecretScope): Promise<string | undefined>;
  /** Seals what other modules keep for an organization. */
  readonly sealer: Sealer;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  /** Begins to write, once a minute, when credentials were last used. */
  start(): void;
  /** Writes what is left of that. */
  close(): Promise<void>;
}

const makingLimit = { burst: 120, perMinute: 60 };

export function createIdentity(options: IdentityOptions): Identity {
  const { database, clock, log } = options;
  const deps: IdentityDeps = {
    ...options,
    tokens: createTokens(options.masterKey),
    sealer: createSealer(options.masterKey, options.onSecretOpened),
    lastUsed: createLastUsed({
      database,
      onProblem: (error) => log.warn({ err: error }, 'the last uses of credentials could not be written; tried again'),
    }),
    attempts: createAttemptLimits(clock),
    makings: createLimiter(makingLimit, clock),
  };
  return {
    authenticate: createAuthenticate(deps),
    createOrganization: (input) => createOrganization(deps, input),
    createFirstOrganization: (input, fill) => createFirstOrganization(deps, input, fill),
    secretValue: (orgId, name, opened) => revealSecret(deps, orgId, name, opened),
    secretsOf: (orgId, opened) => revealSecrets(deps, orgId, opened),
    signingSecretOf: (orgId, opened) => signingSecret(database, deps.sealer, orgId, opened),
    sealer: deps.sealer,
    routes: [...identityRoutes(deps), ...credentialsRoutes(deps), ...organizationRoutes(deps)],
    tools: identityTools(deps),
    start: deps.lastUsed.start,
    close: deps.lastUsed.stop,
  };
}
