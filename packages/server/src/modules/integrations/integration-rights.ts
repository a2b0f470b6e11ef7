import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * Integrations and webhooks are seen by administrators, by moderators, and by machines, which are the integrations.
 * @throws AppError `missing_permissions`
 */
export function assertMayRead(actor: Actor): void {
  if (isAdmin(actor) || actor.kind === 'machine' || actor.roles.some((role) => role.endsWith('-moderator'))) return;
  throw new AppError('missing_permissions', 'Only administrators and moderators may see integrations; ask one of them');
}

/**
 * What integrations tell of themselves is written by machines and administrators.
 * @throws AppError `missing_permissions`
 */
export function assertMayReport(actor: Actor): void {
  if (isAdmin(actor) || actor.kind === 'machine') return;
  throw new AppError('missing_permissions', 'Only an integration reports on itself');
}
