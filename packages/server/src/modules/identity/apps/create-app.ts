import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { permitSecret } from '../../accounts/index.ts';
import { insertCredential } from '../credential.store.ts';
import { newSecret } from '../secret-hash.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { keepClientSecret } from '../secrets/signing-secret.ts';
import { holdApps, presentApp, recordedApp, refuseTakenName } from './apps.ts';

const appsMax = 200;

export interface NewApp {
  readonly name: string;
  readonly role: 'Admin' | 'Member';
  readonly scopes?: readonly string[] | undefined;
  /** The installation id of the only client that may use it. */
  readonly boundTo?: string | undefined;
}

/**
 * The secret is in the answer, and sealed for signing.
 * @throws AppError `identifier_taken`, `limit_reached`, `insufficient_scope`
 */
export function createApp(
  { unitOfWork, sealer }: { readonly unitOfWork: UnitOfWork; readonly sealer: Sealer },
  actor: Actor,
  input: NewApp,
) {
  return unitOfWork(actor, (work) => createAppWithin({ sealer }, work, input));
}

/** The same within the caller's unit of work. @throws AppError as `createApp` */
export async function createAppWithin({ sealer }: { readonly sealer: Sealer }, work: Work, input: NewApp) {
  const { actor } = work;
  const scopes = input.scopes?.includes('*') ? undefined : input.scopes;
  const clientId = newId('client_');
  const { secret, secretHash, secretId } = newSecret();
  const { name, role, boundTo } = input;
  const { orgId } = actor;
  const createdAt = work.now;
  const made = { orgId, clientId, secretHash, secretId, role, userKey: null, name, scopes, boundTo, createdAt };
  const credential = permitSecret(actor, made, { role, scopes });
  const apps = await holdApps(work);
  refuseTakenName(apps, input.name);
  if (apps.length >= appsMax) {
    throw new AppError('limit_reached', `There may be ${appsMax} credentials; delete some that are not used any more`);
  }
  await insertCredential(work.tx, credential);
  // what a client was given for itself must not sign for the organization
  if (boundTo === undefined) await keepClientSecret(work.tx, sealer, { orgId, clientId, secret });
  work.record({
    event: 'credential.created',
    action: 'CREATE',
    resourceType: 'credential',
    identifier: clientId,
    context: {},
    after: recordedApp({ name, role, scopes: scopes ?? null }),
  });
  const none = { previousUntil: null, updatedAt: null, lastUsedAt: null };
  return { app: presentApp({ clientId, name, role, scopes: scopes ?? null, createdAt, ...none }, work.now, secret) };
}
