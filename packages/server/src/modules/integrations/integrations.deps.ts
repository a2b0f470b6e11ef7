import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CatalogDeps } from '../entities/index.ts';

/** How secrets of webhooks are kept, and what names of the organization's own secrets stand for. */
export interface WebhookSecrets {
  readonly sealer: {
    seal(orgId: string, purpose: string, value: string): string;
    open(orgId: string, purpose: string, sealed: string, opened: SecretScope): string;
  };
  /** The organization's secret of that name; undefined if there is none. */
  secretValue(orgId: string, name: string, opened: SecretScope): Promise<string | undefined>;
}

/** What the use cases of integrations and webhooks need. */
export interface IntegrationsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly outgoing: Outgoing;
  readonly catalog: CatalogDeps;
  readonly secrets: WebhookSecrets;
  /** The address people and integrations use; addresses for logs, metrics and events are made from it. */
  readonly publicUrl: () => string;
}
