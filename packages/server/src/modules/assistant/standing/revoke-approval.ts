import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { mayRevoke, maySeeApproval, recordedApproval } from './present-approval.ts';
import { findStandingRow, revokeStandingRow } from './standing.store.ts';

/**
 * Ends a standing approval. A run that is stored before goes on; none is stored after.
 * @throws AppError `not_found`, `missing_permissions`
 */
export async function revokeApproval(deps: AssistantDeps, actor: Actor, id: string): Promise<void> {
  const { orgId } = actor;
  const found = await findStandingRow(deps.database, orgId, deps.clock.now(), id);
  const actions = await deps.effects.standingActions(actor);
  const action = actions.find((each) => each.id === found?.actionId);
  if (!found || !maySeeApproval(found, actor, action)) throw notFound('Standing approval', id, 'id');
  if (!mayRevoke(found, actor, action)) {
    const message = `Only who may run and approve the action "${found.action}" revokes this standing approval`;
    throw new AppError('missing_permissions', message);
  }
  await deps.unitOfWork(actor, async ({ tx, now, record }) => {
    if (!(await revokeStandingRow(tx, orgId, id, { by: actor.id, at: now }))) return;
    record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: 'standing-approval',
      context: { agent: found.agent },
      before: recordedApproval(found),
    });
  });
}
