import { systemActor } from '../../platform/actor.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { permitSecret } from '../accounts/index.ts';
import type {
  CutoverSetting,
  Organization,
  OrganizationModel,
  PlanName,
  QuotaSetting,
} from '../organizations/index.ts';
import { insertOrganization, lockEmptyInstallation } from '../organizations/index.ts';
import { insertCredential, type NewCredential } from './credential.store.ts';
import { hashSecret, type NewSecret, newSecret, newSecretId } from './secret-hash.ts';
import type { Sealer } from './secrets/sealer.ts';
import { keepClientSecret } from './secrets/signing-secret.ts';

export interface CreateOrganizationDeps {
  readonly sealer: Sealer;
  readonly unitOfWork: UnitOfWork;
  readonly seed: SeedOrganization;
}

export interface NewOrganization {
  readonly name: string;
  readonly model: OrganizationModel;
  readonly createdAt?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly quotas?: QuotaSetting | undefined;
  readonly cutover?: CutoverSetting | undefined;
  /** The organization beside which this one is a demo. */
  readonly demoOf?: string | undefined;
  /** Given for the installation's first organization, otherwise generated. */
  readonly credentials?: { readonly clientId: string; readonly clientSecret: string };
}

/** The part of another module in a new organization, in the same transaction. */
export type SeedOrganization = (work: Work, organization: Organization) => Promise<void>;

/**
 * Creates an organization with its system blueprints and an administrator's credentials, all or nothing.
 * The secret is in the answer, and sealed for what the organization signs.
 * @throws AppError `identifier_taken` if a given client id is in use
 */
export async function createOrganization({ unitOfWork, sealer, seed }: CreateOrganizationDeps, input: NewOrganization) {
  const prepared = await prepare(input);
  return refuseTaken(prepared, () =>
    unitOfWork(systemActor(prepared.id, input.model), (work) => insertAll({ work, sealer, seed }, prepared, input)),
  );
}

/**
 * Creates the first organization, filled by `fill`, all or nothing; undefined if one exists. Replicas that start
 * together create one.
 */
export async function createFirstOrganization(
  { unitOfWork, sealer, seed }: CreateOrganizationDeps,
  input: NewOrganization,
  fill: SeedOrganization,
) {
  const prepared = await prepare(input);
  return refuseTaken(prepared, () =>
    unitOfWork(systemActor(prepared.id, input.model), async (work) => {
      if (!(await lockEmptyInstallation(work.tx))) return undefined;
      const created = await insertAll({ work, sealer, seed }, prepared, input);
      await fill(work, created.organization);
      return created;
    }),
  );
}

/** Creates an organization in the transaction of another's work; the answer goes on in the new one. */
export async function createOrganizationBeside(
  { sealer, seed }: CreateOrganizationDeps,
  work: Work,
  input: Omit<NewOrganization, 'credentials'>,
): Promise<{ readonly organization: Organization; readonly work: Work }> {
  const prepared = await prepare(input);
  const inside = work.beside(systemActor(prepared.id, input.model));
  const { organization } = await insertAll({ work: inside, sealer, seed }, prepared, input);
  return { organization, work: inside };
}

interface PreparedCredential extends NewSecret {
  readonly id: string;
  readonly clientId: string;
}

/** Hashing is slow, so it happens before the transaction. */
async function prepare({ credentials }: NewOrganization): Promise<PreparedCredential> {
  const id = newId('org_');
  if (!credentials) return { id, clientId: newId('client_'), ...newSecret() };
  const { clientId, clientSecret: secret } = credentials;
  return { id, clientId, secret, secretId: newSecretId(), secretHash: await hashSecret(secret) };
}

interface OrganizationDraft {
  readonly work: Work;
  readonly sealer: Sealer;
  readonly seed: SeedOrganization;
}

async function insertAll(
  { work, sealer, seed }: OrganizationDraft,
  prepared: PreparedCredential,
  input: NewOrganization,
) {
  const { id, clientId, secret, secretHash, secretId } = prepared;
  const organization = toOrganization(id, input, work.now);
  await insertOrganization(work.tx, organization);
  const made: NewCredential = {
    orgId: id,
    clientId,
    secretHash,
    secretId,
    role: 'Admin',
    userKey: null,
    name: 'Organization credentials',
    createdAt: work.now,
  };
  await insertCredential(work.tx, permitSecret(work.actor, made, made));
  await keepClientSecret(work.tx, sealer, { orgId: id, clientId, secret });
  await seed(work, organization);
  work.record({
    event: 'organization.created',
    action: 'CREATE',
    resourceType: 'organization',
    identifier: id,
    context: {},
    after: { name: organization.name, model: organization.model },
  });
  return { organization, credentials: { clientId, clientSecret: secret } };
}

async function refuseTaken<T>({ clientId }: PreparedCredential, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'credential_directory_pkey') {
      throw new AppError('identifier_taken', `The client id "${clientId}" is taken`, { cause: error });
    }
    throw error;
  }
}

function toOrganization(id: string, input: NewOrganization, now: Date): Organization {
  return {
    id,
    name: input.name,
    model: input.model,
    plan: input.plan ?? 'enterprise',
    quotas: input.quotas ?? {},
    cutover: input.cutover ?? {},
    demoOf: input.demoOf ?? null,
    createdAt: input.createdAt ? new Date(input.createdAt) : now,
    updatedAt: now,
  };
}
