import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { beginRemoval, type DemoRow, holdOrganization, lockDemo } from '../organizations/index.ts';
import type { DemoOrganizationDeps } from './demo-organization.deps.ts';
import { removalJob } from './removal.jobs.ts';

/**
 * Ends the demo beside the actor's organization: nobody gets in any more, and its data goes in the background.
 * @throws AppError `not_found`; `invalid_request` unless its name is given
 */
export function removeDemo(deps: DemoOrganizationDeps, actor: Actor, confirm: string | undefined): Promise<DemoRow> {
  return deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const own = await holdOrganization(tx, actor.orgId);
    const demo = own && (await lockDemo(tx, own.id));
    if (!demo) {
      throw new AppError(
        'not_found',
        own?.demoOf
          ? 'A demo is removed from the organization that it belongs to; go back to your own'
          : 'There is no demo beside this organization',
      );
    }
    if (confirm !== demo.name) {
      const message = `must be the name of the demo, ${demo.name}, which goes with everything in it`;
      throw invalidRequest([{ path: '{query}/confirm', message }], 'The query');
    }
    await beginRemoval(tx, demo.id, now);
    await work.enqueue(removalJob(deps), { organizationId: demo.id });
    work.record({
      event: 'demo_organization.removed',
      action: 'DELETE',
      resourceType: 'organization',
      identifier: demo.id,
      context: {},
      before: { name: demo.name },
    });
    return { ...demo, isBeingRemoved: true };
  });
}
