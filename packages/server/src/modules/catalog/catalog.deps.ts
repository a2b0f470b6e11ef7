import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CheckProperties } from '../blueprints/index.ts';
import type { RecordFailures } from '../journal/index.ts';

/** What the use cases of the catalog need. */
export interface CatalogDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly checkProperties: CheckProperties;
  /** Notes refused writes of machines in the audit log. */
  readonly recordFailures: RecordFailures;
}
