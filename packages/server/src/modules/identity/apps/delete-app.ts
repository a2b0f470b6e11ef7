import type { Actor } from '../../../platform/actor.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { revokeAppRow } from './app.store.ts';
import { findApp, holdApps, recordedApp, refuseLosing } from './apps.ts';

/**
 * Revokes credentials and every token made with them, within a second on every replica.
 * @throws AppError `not_found`, `credential_in_use`, `last_admin_credential`
 */
export async function deleteApp(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  clientId: string,
): Promise<void> {
  await unitOfWork(actor, (work) => deleteAppWithin(work, clientId));
}

/** The same within the caller's unit of work. @throws AppError as `deleteApp` */
export async function deleteAppWithin(work: Work, clientId: string): Promise<void> {
  const apps = await holdApps(work);
  const app = findApp(apps, clientId);
  refuseLosing(work, apps, app);
  await revokeAppRow(work.tx, work.actor.orgId, clientId, work.now);
  work.record({
    event: 'credential.deleted',
    action: 'DELETE',
    resourceType: 'credential',
    identifier: clientId,
    context: {},
    before: recordedApp(app),
  });
}
