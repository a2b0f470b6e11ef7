import { randomBytes } from 'node:crypto';
import { systemActor } from '../../platform/actor.ts';
import { DatabaseError } from '../../platform/db/engine.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { insertCredential } from './credential.store.ts';
import { insertOrganization } from './organization.store.ts';
import type { CutoverSetting, Organization, OrganizationModel, PlanName, QuotaSetting } from './organization.ts';
import { hashSecret } from './secret-hash.ts';

export interface CreateOrganizationDeps {
  readonly unitOfWork: UnitOfWork;
  /** Other modules' part of a new organization (its system blueprints), in the same transaction. */
  readonly furnish: (work: Work, organization: Organization) => Promise<void>;
}

export interface NewOrganization {
  readonly name: string;
  readonly model: OrganizationModel;
  readonly createdAt?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly quotas?: QuotaSetting | undefined;
  readonly cutover?: CutoverSetting | undefined;
  /** Given for the installation's first organization; generated for others. */
  readonly credentials?: { readonly clientId?: string | undefined; readonly clientSecret?: string | undefined };
}

/**
 * Creates an organization with its system blueprints and an administrator's credentials, all or nothing.
 * The secret is in the answer and nowhere else.
 * @throws AppError `identifier_taken` if a given client id is in use
 */
export async function createOrganization({ unitOfWork, furnish }: CreateOrganizationDeps, input: NewOrganization) {
  const id = newId('org_');
  const clientId = input.credentials?.clientId ?? newId('client_');
  const clientSecret = input.credentials?.clientSecret ?? randomBytes(32).toString('base64url');
  const secretHash = await hashSecret(clientSecret);
  try {
    const organization = await unitOfWork(systemActor(id, input.model), async (work) => {
      const created = organizationOf(id, input, work.now);
      await insertOrganization(work.tx, created);
      await insertCredential(work.tx, {
        orgId: id,
        clientId,
        secretHash,
        role: 'Admin',
        userKey: null,
        name: 'Organization credentials',
        createdAt: work.now,
      });
      await furnish(work, created);
      work.record({
        event: 'organization.created',
        action: 'CREATE',
        resourceType: 'organization',
        identifier: id,
        context: {},
        after: { name: created.name, model: created.model },
      });
      return created;
    });
    return { organization, credentials: { clientId, clientSecret } };
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'credential_directory_pkey') {
      throw new AppError('identifier_taken', `The client id "${clientId}" is taken`, { cause: error });
    }
    throw error;
  }
}

function organizationOf(id: string, input: NewOrganization, now: Date): Organization {
  return {
    id,
    name: input.name,
    model: input.model,
    plan: input.plan ?? 'enterprise',
    quotas: input.quotas ?? {},
    cutover: input.cutover ?? {},
    createdAt: input.createdAt ? new Date(input.createdAt) : now,
    updatedAt: now,
  };
}
