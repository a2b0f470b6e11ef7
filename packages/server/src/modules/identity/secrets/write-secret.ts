import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { lockOrganization } from '../../organizations/index.ts';
import type { Sealer } from './sealer.ts';
import {
  deleteSecretRow,
  findSealed,
  findSecretRow,
  insertSecretRow,
  listSealed,
  listSecretRows,
  lockSecretRow,
  type SecretRow,
  updateSecretRow,
} from './secret.store.ts';

const secretsMax = 1000;

export interface SecretDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly sealer: Sealer;
}

/** Never the value. */
export function presentSecret({ name, description, createdAt, updatedAt }: SecretRow) {
  return {
    secretName: name,
    description,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Seals and stores a secret. @throws AppError `identifier_taken`, `limit_reached` */
export function createSecret(
  { unitOfWork, sealer }: SecretDeps,
  actor: Actor,
  input: { readonly secretName: string; readonly secretValue: string; readonly description?: string | undefined },
): Promise<SecretRow> {
  const { secretName: name, secretValue, description = '' } = input;
  const sealed = sealer.seal(actor.orgId, organizationSecretPurpose(name), secretValue);
  return unitOfWork(actor, async (work) => {
    await lockOrganization(work.tx, actor.orgId);
    if ((await listSecretRows(work.tx, actor.orgId)).length >= secretsMax) {
      throw new AppError('limit_reached', `There may be ${secretsMax} secrets; delete some that are not used any more`);
    }
    const secret: SecretRow = { name, description, createdAt: work.now, updatedAt: work.now };
    if (!(await insertSecretRow(work.tx, actor.orgId, secret, sealed))) {
      throw new AppError(
        'identifier_taken',
        `The secret name "${name}" is taken; change that secret or choose another`,
      );
    }
    record(work, 'secret.created', 'CREATE', name, { after: recorded(secret) });
    return secret;
  });
}

/** Changes the value, the description or both. @throws AppError `not_found` */
export function updateSecret(
  { unitOfWork, sealer }: SecretDeps,
  actor: Actor,
  input: {
    readonly name: string;
    readonly secretValue?: string | undefined;
    readonly description?: string | null | undefined;
  },
): Promise<SecretRow> {
  const { name, secretValue, description } = input;
  const sealed =
    secretValue === undefined ? undefined : sealer.seal(actor.orgId, organizationSecretPurpose(name), secretValue);
  return unitOfWork(actor, async (work) => {
    const before = await lockSecretRow(work.tx, actor.orgId, name);
    if (!before) throw notFound('Secret', name, 'name');
    const after: SecretRow = {
      ...before,
      description: description === undefined ? before.description : (description ?? ''),
      updatedAt: work.now,
    };
    await updateSecretRow(work.tx, actor.orgId, after, sealed);
    record(work, 'secret.updated', 'UPDATE', name, {
      before: recorded(before),
      // audits that the value changed, not what it was or is
      after: { ...recorded(after), valueChanged: sealed !== undefined },
    });
    return after;
  });
}

/** @throws AppError `not_found` */
export async function deleteSecret({ unitOfWork }: SecretDeps, actor: Actor, name: string): Promise<void> {
  await unitOfWork(actor, async (work) => {
    const before = await lockSecretRow(work.tx, actor.orgId, name);
    if (!before) throw notFound('Secret', name, 'name');
    await deleteSecretRow(work.tx, actor.orgId, name);
    record(work, 'secret.deleted', 'DELETE', name, { before: recorded(before) });
  });
}

/** @throws AppError `not_found` */
export async function getSecret({ database }: SecretDeps, actor: Actor, name: string): Promise<SecretRow> {
  const secret = await findSecretRow(database, actor.orgId, name);
  if (!secret) throw notFound('Secret', name, 'name');
  return secret;
}

/** The value, for the platform's own use; no operation returns it. */
export async function revealSecret(
  { database, sealer }: Pick<SecretDeps, 'database' | 'sealer'>,
  orgId: string,
  name: string,
  opened: SecretScope,
): Promise<string | undefined> {
  const sealed = await findSealed(database, orgId, name);
  return sealed === undefined ? undefined : sealer.open(orgId, organizationSecretPurpose(name), sealed, opened);
}

/**
 * All values by name, for rendering; no operation returns them. Each is opened when it is read, so that only those in
 * use count as opened.
 */
export async function revealSecrets(
  { database, sealer }: Pick<SecretDeps, 'database' | 'sealer'>,
  orgId: string,
  opened: SecretScope,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, sealed } of await listSealed(database, orgId)) {
    let value: string | undefined;
    const get = (): string => {
      value ??= sealer.open(orgId, organizationSecretPurpose(name), sealed, opened);
      return value;
    };
    Object.defineProperty(values, name, { enumerable: true, get });
  }
  return values;
}

/** Bound to the name: the sealed text does not open under another. */
export function organizationSecretPurpose(name: string): string {
  return `secret ${name}`;
}

function recorded({ name, description }: SecretRow) {
  return { secretName: name, description };
}

function record(
  work: Work,
  event: string,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  identifier: string,
  states: { readonly before?: object; readonly after?: object },
): void {
  work.record({ event, action, resourceType: 'secret', identifier, context: {}, ...states });
}
