import { systemActor } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import type { CutoverSetting, Organization, PlanName, QuotaSetting } from '../organizations/index.ts';
import { deleteOrganizationRows, lockDemo, lockOrganization, updateOrganizationRow } from '../organizations/index.ts';

export interface OrganizationChange {
  readonly name?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly quotas?: QuotaSetting | undefined;
  readonly cutover?: (CutoverSetting & { readonly force?: boolean | undefined }) | undefined;
  /** Move on although old forms are in use. */
  readonly force?: boolean | undefined;
}

/** A change of the cutover. */
export interface CutoverMove {
  readonly before: Organization;
  readonly after: Organization;
  readonly force: boolean;
}

/** The part of another module, in the transaction of the move. @throws AppError `cutover_blocked` */
export type FollowCutover = (work: Work, move: CutoverMove) => Promise<void>;

/** Changes what is given. @throws AppError `not_found`, `cutover_blocked` */
export function updateOrganization(
  unitOfWork: UnitOfWork,
  id: string,
  change: OrganizationChange,
  followCutover?: FollowCutover,
) {
  return unitOfWork(systemActor(id), async (work) => {
    const before = await lockOrganization(work.tx, id);
    if (!before) throw notFound('Organization', id, 'id');
    const { force: isForced, ...cutover } = change.cutover ?? {};
    const after: Organization = {
      ...before,
      name: change.name ?? before.name,
      plan: change.plan ?? before.plan,
      quotas: { ...before.quotas, ...change.quotas },
      cutover: { ...before.cutover, ...cutover },
      updatedAt: work.now,
    };
    await updateOrganizationRow(work.tx, after);
    if (change.cutover) {
      await followCutover?.(work, { before, after, force: (isForced || change.force) ?? false });
    }
    work.record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: id,
      context: {},
      before: recorded(before),
      after: recorded(after),
    });
    return after;
  });
}

/** Deletes an organization and the demo beside it with all their rows, including the journal. @throws AppError `not_found` */
export function deleteOrganization(unitOfWork: UnitOfWork, id: string): Promise<void> {
  return unitOfWork(systemActor(id), async (work) => {
    if (!(await lockOrganization(work.tx, id))) throw notFound('Organization', id, 'id');
    const demo = await lockDemo(work.tx, id);
    if (demo) await deleteOrganizationRows(work.tx, demo.id, work.now);
    await deleteOrganizationRows(work.tx, id, work.now);
  });
}

function recorded({ name, plan, quotas, cutover }: Organization) {
  return { name, plan, quotas, cutover };
}
