import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { AttemptLimits, Limiter, Sealer } from '../identity/index.ts';
import type { People } from '../people/index.ts';
import type { Cookies } from './cookies.ts';
import type { Providers } from './sso/providers.ts';

export interface SignInOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly people: People;
  readonly outgoing: Outgoing;
  /** Undefined without a mail server; invitations are then handed over as links. */
  readonly mailer: Mailer | undefined;
  readonly masterKey: Buffer;
  /** The team of the demo that people belong to who enter it. */
  readonly visitorsTeam: string;
  /** The portal's address; https decides the cookies' names and flags. */
  readonly publicUrl: () => string;
  /** Logs failed sign-ins. */
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

export interface SignInDeps extends SignInOptions {
  readonly cookies: Cookies;
  readonly sealer: Sealer;
  readonly providers: Providers;
  readonly attempts: AttemptLimits;
  /** Limits sign-ins at the provider per address. */
  readonly ssoAttempts: Limiter;
}
