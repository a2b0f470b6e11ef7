import type { Database } from '../../../platform/db/database.ts';
import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { Models } from '../model/models.ts';

/** What the use cases of model providers need. */
export interface ProvidersDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly models: Models;
  /** The value of a secret of the organization; undefined if there is none of that name. */
  readonly secretValue: (orgId: string, name: string, opened: SecretScope) => Promise<string | undefined>;
}
