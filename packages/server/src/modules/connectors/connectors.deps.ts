import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';

/** How headers are kept, and what names of the organization's own secrets stand for. */
export interface ConnectorSecrets {
  readonly sealer: {
    seal(orgId: string, purpose: string, value: string): string;
    open(orgId: string, purpose: string, sealed: string, opened: SecretScope): string;
  };
  /** The organization's secret of that name; undefined if there is none. */
  secretValue(orgId: string, name: string, opened: SecretScope): Promise<string | undefined>;
}

/** What the use cases of connected MCP servers need. */
export interface ConnectorsDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
  readonly secrets: ConnectorSecrets;
  /** What is told to servers of ours. */
  readonly version: string;
}
