import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CatalogDeps } from '../entities/index.ts';

export interface PeopleDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  /** Used if users and teams are entities. */
  readonly catalog: CatalogDeps;
}
