import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { PageListener } from '../blueprints/index.ts';
import type { ChangeBlueprintDeps } from '../blueprints/maintenance.ts';
import type { CatalogDeps } from '../entities/index.ts';
import type { NotifyJob, WebhookSecrets } from '../integrations/maintenance.ts';

export interface MigrationsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly catalog: CatalogDeps;
  readonly blueprints: ChangeBlueprintDeps;
  readonly integrations: { readonly tell: NotifyJob; readonly secrets: WebhookSecrets };
  readonly pageListener: PageListener;
  /** Days during which the migration of users and teams can be undone. */
  readonly undoDays: number;
  /** How long replicas get to drop cached organization models before the model changes. */
  readonly announceMs: number;
}
