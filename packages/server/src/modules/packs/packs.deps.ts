import type { PackFile } from '@portolan/contract/packs';
import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { BlueprintsDeps } from '../blueprints/index.ts';
import type { CatalogDeps } from '../entities/index.ts';

export interface PacksDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly blueprints: BlueprintsDeps;
  readonly catalog: CatalogDeps;
  /** The starter models there are, by id. */
  readonly files: ReadonlyMap<string, PackFile>;
}
