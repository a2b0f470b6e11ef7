import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { OwnApi } from '../../platform/http/own-api.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { MessageBroker } from '../../platform/messages/message-broker.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CheckValues } from '../blueprints/index.ts';
import type { CatalogDeps } from '../entities/index.ts';

/** Access to the organization's sealed secrets. */
export interface OrganizationSecrets {
  /** For templates; reading a value marks it as opened, so that it is masked. */
  secretsOf(orgId: string, opened: SecretScope): Promise<Readonly<Record<string, string>>>;
  /** The client secret of the organization's credentials, which signs requests and encrypts inputs. */
  signingSecretOf(orgId: string, opened: SecretScope): Promise<string | undefined>;
}

export interface ActionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly outgoing: Outgoing;
  readonly ownApi: OwnApi;
  /** Absent if not configured. */
  readonly broker: MessageBroker | undefined;
  /** Absent if not configured. */
  readonly mailer: Mailer | undefined;
  readonly catalog: CatalogDeps;
  readonly checkValues: CheckValues;
  readonly secrets: OrganizationSecrets;
  /** Days that ended runs are kept. */
  readonly keptDays: number;
  /** Base address of links for people. */
  readonly publicUrl: () => string;
}
