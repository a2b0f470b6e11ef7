import type { Actor } from '../../platform/actor.ts';
import type { Route } from '../../platform/http/route.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { type AppRow, listAppRows } from './apps/app.store.ts';
import { createAttemptLimits, createLimiter } from './attempt-limits.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import {
  createFirstOrganization,
  createOrganization,
  createOrganizationBeside,
  type NewOrganization,
  type SeedOrganization,
} from './create-organization.ts';
import { credentialsRoutes } from './credentials.routes.ts';
import type { IdentityDeps, IdentityOptions } from './identity.deps.ts';
import { identityRoutes } from './identity.routes.ts';
import { identityTools } from './identity.tools.ts';
import { createLastUsed } from './last-used.ts';
import { organizationRoutes } from './organization.routes.ts';
import { createSealer, type Sealer } from './secrets/sealer.ts';
import { signingSecret } from './secrets/signing-secret.ts';
import { revealSecret, revealSecrets } from './secrets/write-secret.ts';
import { createTokens } from './tokens.ts';

export interface Identity {
  readonly authenticate: Authenticate;
  createOrganization(input: NewOrganization): ReturnType<typeof createOrganization>;
  createFirstOrganization(input: NewOrganization, fill: SeedOrganization): ReturnType<typeof createFirstOrganization>;
  /** Creates one in the transaction of another's work. */
  createOrganizationBeside(
    work: Work,
    input: Omit<NewOrganization, 'credentials'>,
  ): ReturnType<typeof createOrganizationBeside>;
  /** The value of an organization's secret, for the platform's own use; undefined if there is none. */
  secretValue(orgId: string, name: string, opened: SecretScope): Promise<string | undefined>;
  /** All secrets by name, for templates. */
  secretsOf(orgId: string, opened: SecretScope): Promise<Readonly<Record<string, string>>>;
  /** The client secret for signing outgoing requests; undefined if none was kept. */
  signingSecretOf(orgId: string, opened: SecretScope): Promise<string | undefined>;
  /** When credentials of the organization were made and last used; undefined once revoked. */
  credentialOf(orgId: string, clientId: string): Promise<AppRow | undefined>;
  /** Counts credentials made by a caller. @throws AppError `too_many_requests` */
  countMaking(actor: Actor): void;
  /** Seals values that other modules store. */
  readonly sealer: Sealer;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  /** Starts writing last-used moments, once a minute. */
  start(): void;
  /** Writes the pending ones. */
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
    createOrganizationBeside: (work, input) => createOrganizationBeside(deps, work, input),
    secretValue: (orgId, name, opened) => revealSecret(deps, orgId, name, opened),
    secretsOf: (orgId, opened) => revealSecrets(deps, orgId, opened),
    signingSecretOf: (orgId, opened) => signingSecret(database, deps.sealer, orgId, opened),
    credentialOf: async (orgId, clientId) => {
      await deps.lastUsed.flush();
      return (await listAppRows(database, orgId)).find((each) => each.clientId === clientId);
    },
    countMaking: ({ orgId, id }) => deps.makings.take(`${orgId} ${id}`),
    sealer: deps.sealer,
    routes: [...identityRoutes(deps), ...credentialsRoutes(deps), ...organizationRoutes(deps)],
    tools: identityTools(deps),
    start: deps.lastUsed.start,
    close: deps.lastUsed.stop,
  };
}
