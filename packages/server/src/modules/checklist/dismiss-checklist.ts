import type { patchChecklist } from '@portolan/contract/checklist';
import type { OperationInput } from '@portolan/contract/operation';
import type { Actor } from '../../platform/actor.ts';
import type { ChecklistDeps } from './checklist.deps.ts';
import { lockDismissal, updateDismissal } from './checklist.store.ts';

type Change = OperationInput<typeof patchChecklist>['body'];

/** Hides the first steps, or some of them, for the whole organization; what is left out stays. */
export function dismissChecklist({ unitOfWork }: ChecklistDeps, actor: Actor, change: Change): Promise<void> {
  return unitOfWork(actor, async (work) => {
    const before = await lockDismissal(work.tx, actor.orgId);
    const items = new Set(before.dismissedItems);
    for (const [id, { isDismissed }] of Object.entries(change.items ?? {})) {
      if (isDismissed) items.add(id);
      else items.delete(id);
    }
    const after = { isDismissed: change.dismissed ?? before.isDismissed, dismissedItems: [...items].sort() };
    await updateDismissal(work.tx, actor.orgId, after);
    work.record({
      event: 'checklist.updated',
      action: 'UPDATE',
      resourceType: 'checklist',
      identifier: 'checklist',
      context: {},
      before,
      after,
    });
  });
}
