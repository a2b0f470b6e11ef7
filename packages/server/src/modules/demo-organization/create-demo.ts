import type { Actor } from '../../platform/actor.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { type DemoRow, holdOrganization } from '../organizations/index.ts';
import type { DemoOrganizationDeps } from './demo-organization.deps.ts';

const demoName = 'Halyard Freight';

/**
 * Makes the demo beside the actor's organization, all or nothing.
 * @throws AppError `not_found` where the product came without the demo or this is one; `identifier_taken` if there is
 * one already
 */
export async function createDemo(deps: DemoOrganizationDeps, actor: Actor): Promise<DemoRow> {
  try {
    return await deps.unitOfWork(actor, (work) => createDemoWithin(deps, work));
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'organizations_demo') {
      throw new AppError(
        'identifier_taken',
        'There is a demo beside this organization already; enter it in the portal',
        {
          cause: error,
        },
      );
    }
    throw error;
  }
}

/** Within the caller's unit of work. */
export async function createDemoWithin({ identity, fill }: DemoOrganizationDeps, work: Work): Promise<DemoRow> {
  if (!fill) throw new AppError('not_found', 'This installation came without the demo data');
  const own = await holdOrganization(work.tx, work.actor.orgId);
  if (own?.demoOf !== null) throw new AppError('not_found', 'This is the demo itself; ask in your own organization');
  const input = { name: demoName, model: 'blueprints', demoOf: own.id } as const;
  const { organization, work: inside } = await identity.createOrganizationBeside(work, input);
  await fill(inside);
  const { id, name, model, createdAt } = organization;
  work.record({
    event: 'demo_organization.created',
    action: 'CREATE',
    resourceType: 'organization',
    identifier: id,
    context: {},
    after: { name },
  });
  return { id, name, model, createdAt, isBeingRemoved: false };
}
