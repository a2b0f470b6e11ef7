import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CatalogDeps } from '../entities/index.ts';

/** Opens and seals secrets of webhooks, and resolves references to secrets of the organization. */
export interface WebhookSecrets {
  readonly sealer: {
    seal(orgId: string, purpose: string, value: string): string;
    open(orgId: string, purpose: string, sealed: string, opened: SecretScope): string;
  };
  /** Returns undefined if the organization has no secret of that name. */
  secretValue(orgId: string, name: string, opened: SecretScope): Promise<string | undefined>;
}

export interface IntegrationsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly outgoing: Outgoing;
  readonly catalog: CatalogDeps;
  readonly secrets: WebhookSecrets;
  /** Base address that people and integrations use; addresses for logs, metrics and events start with it. */
  readonly publicUrl: () => string;
}
