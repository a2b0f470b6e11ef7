import type { ChecklistItemId } from '@portolan/contract/checklist';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { AttemptLimits, Limiter } from './attempt-limits.ts';
import type { LimitByMapping } from './authenticate.ts';
import type { SeedOrganization } from './create-organization.ts';
import type { LastUsed } from './last-used.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { Tokens } from './tokens.ts';
import type { FollowCutover } from './update-organization.ts';

export interface IdentityDeps extends IdentityOptions {
  readonly tokens: Tokens;
  readonly sealer: Sealer;
  readonly lastUsed: LastUsed;
  readonly attempts: AttemptLimits;
  /** Limits how many credentials and secrets a caller makes. */
  readonly makings: Limiter;
}

export interface IdentityOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** 32 bytes; the key of tokens is derived from it. */
  readonly masterKey: Buffer;
  readonly seed: SeedOrganization;
  /** The caller's rights on single actions as scopes, from the actions module. */
  readonly actionScopes: (actor: Actor) => Promise<string[]>;
  /** When an organization first had what each of its first steps asks for, from the checklist module. */
  readonly milestonesOf: (orgId: string) => Promise<Readonly<Partial<Record<ChecklistItemId, string>>>>;
  /** Called in the transaction that changes the cutover of an organization. */
  readonly followCutover?: FollowCutover;
  /** Limits an integration's actor by its mapping, from the integrations module. */
  readonly limitByMapping: LimitByMapping;
  /** Called for every secret that is opened. */
  readonly onSecretOpened?: ((value: string) => void) | undefined;
  /** Log for failures outside requests. */
  readonly log: { warn(details: object, message: string): void };
}
