import type { Database } from '../../../platform/db/database.ts';
import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { Models } from '../model/models.ts';

export interface ProvidersDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly models: Models;
  readonly secretValue: (orgId: string, name: string, opened: SecretScope) => Promise<string | undefined>;
}
