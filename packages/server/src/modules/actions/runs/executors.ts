import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { maySendSecrets } from '../../../platform/scopes.ts';

/**
 * Executors are programs with the organization's credentials; a client that was installed for one integration executes
 * for that one alone.
 * @throws AppError `missing_permissions`
 */
export function assertExecutor(actor: Actor, installationId?: string): void {
  if (actor.kind === 'person' || !isAdmin(actor)) {
    throw new AppError('missing_permissions', 'Runs are claimed with the credentials of the organization');
  }
  if (installationId !== undefined && !executesFor(actor, installationId)) {
    throw new AppError('missing_permissions', `These credentials claim runs of "${actor.boundTo}" alone`);
  }
}

export function executesFor({ boundTo }: Actor, installationId: string | null): boolean {
  return boundTo === undefined || boundTo === installationId;
}

/** Whether a claim may hold secrets: for the client they are sent to, and for tokens that may read them. */
export function mayTakeSecrets(actor: Actor, installationId: string): boolean {
  return actor.boundTo === installationId || maySendSecrets(actor);
}
