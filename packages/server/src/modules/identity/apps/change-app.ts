import type { Actor } from '../../../platform/actor.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { permitScopes } from '../../accounts/index.ts';
import { type AppRow, updateAppRow } from './app.store.ts';
import { findApp, holdApps, presentApp, recordedApp, refuseLosing, refuseTakenName } from './apps.ts';

/** Renames credentials of the organization. @throws AppError `not_found`, `identifier_taken` */
export function renameApp(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  { clientId, name }: { readonly clientId: string; readonly name: string },
) {
  return unitOfWork(actor, async (work) => {
    const apps = await holdApps(work);
    const app = findApp(apps, clientId);
    refuseTakenName(apps, name, clientId);
    return { app: presentApp(await change(work, app, { name, scopes: app.scopes }), work.now) };
  });
}

/**
 * Restricts credentials of the organization to scopes, or lifts the restriction with `*`.
 * @throws AppError `not_found`, `credential_in_use`, `last_admin_credential`, `insufficient_scope`
 */
export async function setAppScopes(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  { clientId, scopes }: { readonly clientId: string; readonly scopes: readonly string[] },
): Promise<void> {
  const restricted = scopes.includes('*') ? null : scopes;
  await unitOfWork(actor, async (work) => {
    const apps = await holdApps(work);
    const app = findApp(apps, clientId);
    if (restricted) refuseLosing(work, apps, app);
    await change(work, app, { name: app.name, scopes: restricted });
  });
}

async function change(work: Work, app: AppRow, { name, scopes }: Pick<AppRow, 'name' | 'scopes'>): Promise<AppRow> {
  const after: AppRow = { ...app, name, scopes, updatedAt: work.now };
  const changed = permitScopes(work.actor, { name, scopes, at: work.now }, app, after);
  await updateAppRow(work.tx, work.actor.orgId, app.clientId, changed);
  work.record({
    event: 'credential.updated',
    action: 'UPDATE',
    resourceType: 'credential',
    identifier: app.clientId,
    context: {},
    before: recordedApp(app),
    after: recordedApp(after),
  });
  return after;
}
