import type { Actor } from '../../../platform/actor.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { permitSecret } from '../../accounts/index.ts';
import { newSecret } from '../secret-hash.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { keepClientSecret } from '../secrets/signing-secret.ts';
import { setAppSecret } from './app.store.ts';
import { findApp, holdApps, presentApp, recordedApp } from './apps.ts';

/**
 * Gives credentials a new secret; the old one and its tokens work until the overlap ends.
 * @throws AppError `not_found`; `insufficient_scope` if the credentials may do more than the caller
 */
export function rotateAppSecret(
  { unitOfWork, sealer }: { readonly unitOfWork: UnitOfWork; readonly sealer: Sealer },
  actor: Actor,
  { clientId, overlapSeconds }: { readonly clientId: string; readonly overlapSeconds: number },
) {
  const { secret, secretHash, secretId } = newSecret();
  return unitOfWork(actor, async (work) => {
    const app = findApp(await holdApps(work), clientId);
    const previousUntil = new Date(work.now.getTime() + overlapSeconds * 1000);
    const next = permitSecret(actor, { secretId, secretHash, previousUntil, at: work.now }, app);
    await setAppSecret(work.tx, actor.orgId, clientId, next);
    await keepClientSecret(work.tx, sealer, { orgId: actor.orgId, clientId, secret });
    work.record({
      event: 'credential.rotated',
      action: 'UPDATE',
      resourceType: 'credential',
      identifier: clientId,
      context: {},
      before: recordedApp(app),
      after: { ...recordedApp(app), overlapEndsAt: previousUntil.toISOString() },
    });
    return { app: presentApp({ ...app, previousUntil, updatedAt: work.now }, work.now, secret) };
  });
}
