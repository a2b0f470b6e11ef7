import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';

export interface PagesDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}
