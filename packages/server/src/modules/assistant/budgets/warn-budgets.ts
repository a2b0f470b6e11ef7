import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { listOrganizationsWithBudgets, noteWarning, readBudgets, readWarnings } from './budget.store.ts';
import { type BudgetState, decideState, findFirstDay, subjectKey } from './budget.ts';

type WarnDeps = Pick<AssistantDeps, 'database' | 'unitOfWork' | 'clock'>;

/**
 * Records each crossing of an organization's budgets once: where one comes near its limit, and where it is spent. Anyone
 * who does the same at the same time records nothing. Returns how many were recorded.
 */
export async function warnOfBudgets(deps: WarnDeps, orgId: string): Promise<number> {
  const now = deps.clock.now();
  const crossed = (await readBudgets(deps.database, orgId, now)).filter((each) => decideState(each) !== 'within');
  if (crossed.length === 0) return 0;
  const known = new Set((await readWarnings(deps.database, orgId, findFirstDay('month', now))).map(warningKey));
  let recorded = 0;
  for (const budget of crossed) {
    const { scope, subject, period } = budget;
    const state = decideState(budget);
    const startsOn = findFirstDay(period, now);
    if (state === 'within' || known.has(warningKey({ scope, subject, period, startsOn, state }))) continue;
    if (await recordCrossing(deps, orgId, budget, state)) recorded += 1;
  }
  return recorded;
}

function recordCrossing(
  { unitOfWork, clock }: WarnDeps,
  orgId: string,
  budget: BudgetState,
  state: 'near' | 'spent',
): Promise<boolean> {
  const { scope, period, limits, used, action } = budget;
  const now = clock.now();
  return unitOfWork(systemActor(orgId), async ({ tx, record }) => {
    if (!(await noteWarning(tx, orgId, budget, state, now))) return false;
    const id = budget.id ?? budget.subject;
    record({
      event: 'organization.updated',
      action: 'OTHER',
      resourceType: 'organization',
      identifier: 'ai-budget',
      context: {},
      message:
        state === 'spent'
          ? `The ${period === 'day' ? 'daily' : 'monthly'} budget of the ${scope} ${id} is used up`
          : `The ${period === 'day' ? 'daily' : 'monthly'} budget of the ${scope} ${id} comes near its limit`,
      after: { scope, id, period, state, ...limits, action, used },
    });
    return true;
  });
}

function warningKey({
  scope,
  subject,
  period,
  startsOn,
  state,
}: {
  readonly scope: string;
  readonly subject: string;
  readonly period: string;
  readonly startsOn: string;
  readonly state: string;
}): string {
  return `${subjectKey({ scope: scope as BudgetState['scope'], subject })} ${period} ${startsOn} ${state}`;
}

export function warnJob(deps: AssistantDeps): JobDeclaration {
  return defineJob({
    name: 'assistant.warn-of-budgets',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 30_000,
    run: async (_input, { each }) => {
      const organizations = await listOrganizationsWithBudgets(deps.database);
      await each(
        organizations.map((orgId) => ({ orgId })),
        ({ orgId }) => warnOfBudgets(deps, orgId),
      );
    },
  }) as unknown as JobDeclaration;
}
