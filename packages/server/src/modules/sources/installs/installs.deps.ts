import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { BlueprintsDeps } from '../../blueprints/index.ts';
import type { CatalogDeps } from '../../entities/index.ts';
import type { Identity } from '../../identity/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

export interface InstallsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly catalogue: Catalogue;
  readonly blueprints: BlueprintsDeps;
  readonly catalog: CatalogDeps;
  readonly identity: Pick<Identity, 'sealer' | 'credentialOf' | 'countMaking'>;
  readonly publicUrl: () => string;
}
