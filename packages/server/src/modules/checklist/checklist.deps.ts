import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';

export interface ChecklistDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  /** The address people use. */
  readonly publicUrl: () => string;
}
