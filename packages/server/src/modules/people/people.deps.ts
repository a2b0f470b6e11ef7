import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CatalogDeps } from '../entities/index.ts';

/** What the use cases of users and teams need. */
export interface PeopleDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  /** Where users and teams are entities, they are written as such. */
  readonly catalog: CatalogDeps;
}
