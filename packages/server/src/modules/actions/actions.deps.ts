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

/** What an organization keeps sealed and runs need in the clear, for a moment. */
export interface OrganizationSecrets {
  /** Secrets by name, for templates; each counts as opened once it is read. */
  secretsOf(orgId: string, opened: SecretScope): Promise<Readonly<Record<string, string>>>;
  /** The client secret of the organization's own credentials: signs what is sent, encrypts inputs. */
  signingSecretOf(orgId: string, opened: SecretScope): Promise<string | undefined>;
}

/** What the use cases of actions need. */
export interface ActionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly outgoing: Outgoing;
  readonly ownApi: OwnApi;
  /** Absent where the operator has set up none. */
  readonly broker: MessageBroker | undefined;
  /** Absent where the operator has set up none. */
  readonly mailer: Mailer | undefined;
  readonly catalog: CatalogDeps;
  readonly checkValues: CheckValues;
  readonly secrets: OrganizationSecrets;
  /** Days that runs are kept after they ended. */
  readonly keptDays: number;
  /** The address people use; links are made from it. */
  readonly publicUrl: () => string;
}
