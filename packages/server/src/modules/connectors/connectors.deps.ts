import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';

/** Sealed headers, and the organization's own secrets by name. */
export interface ConnectorSecrets {
  readonly sealer: {
    seal(orgId: string, purpose: string, value: string): string;
    open(orgId: string, purpose: string, sealed: string, opened: SecretScope): string;
  };
  /** Undefined if there is none. */
  secretValue(orgId: string, name: string, opened: SecretScope): Promise<string | undefined>;
}

export interface ConnectorsDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
  readonly secrets: ConnectorSecrets;
  /** Our version, sent to servers. */
  readonly version: string;
}
