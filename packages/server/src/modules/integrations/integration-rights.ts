import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * Administrators, moderators and machines may read integrations and webhooks; integrations are machines.
 * @throws AppError `missing_permissions`
 */
export function assertMayRead(actor: Actor): void {
  if (isAdmin(actor) || actor.kind === 'machine' || actor.roles.some((role) => role.endsWith('-moderator'))) return;
  throw new AppError('missing_permissions', 'Only administrators and moderators may see integrations; ask one of them');
}

/**
 * Credentials made for an installation know only that one.
 * @throws AppError `missing_permissions`
 */
export function assertWithin({ boundTo }: Actor, installationId: string): void {
  if (boundTo === undefined || boundTo === installationId) return;
  const message = `These credentials are for the integration "${boundTo}" and no other`;
  throw new AppError('missing_permissions', message);
}

/** Only machines and administrators may write reports of an integration. @throws AppError `missing_permissions` */
export function assertMayReport(actor: Actor): void {
  if (isAdmin(actor) || actor.kind === 'machine') return;
  throw new AppError('missing_permissions', 'Only an integration reports on itself');
}
