import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { OrganizationSecrets } from '../../actions/index.ts';
import type { CheckValues } from '../../blueprints/index.ts';
import type { CatalogDeps } from '../../entities/index.ts';

export interface DefinitionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly catalog: CatalogDeps;
  readonly checkValues: CheckValues;
  readonly secrets: OrganizationSecrets;
}
