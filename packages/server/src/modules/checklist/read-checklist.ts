import type { getChecklist } from '@portolan/contract/checklist';
import type { OperationAnswer } from '@portolan/contract/operation';
import type { ChecklistDeps } from './checklist.deps.ts';
import { findDismissal, findFacts, findOwned, listMilestones } from './checklist.store.ts';
import { type Findings, findDone, isFirstRun, presentItems } from './checklist-items.ts';
import { findSafety } from './find-safety.ts';

type ReadingDeps = Pick<ChecklistDeps, 'database' | 'publicUrl'>;

/** The first steps as they are now. */
export async function readChecklist(
  deps: ReadingDeps,
  orgId: string,
): Promise<Omit<OperationAnswer<typeof getChecklist>, 'ok'>> {
  const { database } = deps;
  const findings = await readFindings(deps, orgId);
  const { isDismissed = false, dismissedItems = [] } = (await findDismissal(database, orgId)) ?? {};
  const reached = new Map((await listMilestones(database, orgId)).map(({ milestone, at }) => [milestone, at]));
  const done = findDone(findings);
  return {
    items: presentItems(findings, done, dismissedItems, reached),
    dismissed: isDismissed,
    isFirstRun: !isDismissed && isFirstRun(findings.facts, done),
    holdsDemo: findings.facts.holdsDemo,
  };
}

export async function readFindings(deps: ReadingDeps, orgId: string): Promise<Findings> {
  const facts = await findFacts(deps.database, orgId);
  const ownership = await findOwned(deps.database, orgId);
  return { facts, ownership, safety: await findSafety(deps, orgId) };
}
