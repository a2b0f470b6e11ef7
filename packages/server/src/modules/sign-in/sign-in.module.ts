import type { Route } from '../../platform/http/route.ts';
import type { Surface } from '../../platform/http/server.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { createAttemptLimits, createLimiter, createSealer, hashSecret } from '../identity/index.ts';
import { createCookies } from './cookies.ts';
import { mailLinkJob } from './invitations/mail-link.ts';
import { createFirstUser, type FirstUser } from './passwords/first-user.ts';
import { createScim, type ScimOptions } from './scim/scim.surface.ts';
import { createSessionGate, type SessionGate } from './sessions/session-gate.ts';
import type { SignInDeps, SignInOptions } from './sign-in.deps.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createProviders } from './sso/providers.ts';
import { tidySignIns } from './tidy.ts';

/** Passwords, sessions, single sign-on and SCIM. */
export interface SignIn {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  readonly surface: Surface;
  readonly authenticateSession: SessionGate;
  /** Slow by design, so call it before the transaction. */
  preparePassword(password: string): Promise<string>;
  /** Creates the first user as an administrator, within the caller's unit of work. */
  createFirstUser(work: Work, user: FirstUser): Promise<void>;
}

const ssoLimit = { burst: 60, perMinute: 60 };

export function createSignIn(options: SignInOptions & ScimOptions): SignIn {
  const { clock, outgoing, publicUrl, masterKey } = options;
  const deps: SignInDeps = {
    ...options,
    cookies: createCookies(publicUrl),
    sealer: createSealer(masterKey),
    providers: createProviders({ outgoing, clock }),
    attempts: createAttemptLimits(clock),
    ssoAttempts: createLimiter(ssoLimit, clock),
  };
  const gate = createSessionGate(deps);
  return {
    routes: signInRoutes(deps, gate),
    jobs: [tidySignIns(deps), mailLinkJob(deps)],
    surface: createScim(deps, options),
    authenticateSession: gate,
    preparePassword: hashSecret,
    createFirstUser: (work, user) => createFirstUser(deps, work, user),
  };
}
