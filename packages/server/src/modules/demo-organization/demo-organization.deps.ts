import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import type { Identity } from '../identity/index.ts';

export interface DemoOrganizationDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly identity: Pick<Identity, 'createOrganizationBeside'>;
  /** Writes the demo data within the work that makes the organization; absent where the product came without it. */
  readonly fill: FillDemo | undefined;
}

export type FillDemo = (work: Work) => Promise<void>;
