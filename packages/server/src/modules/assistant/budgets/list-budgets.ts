import type { AiBudget } from '@portolan/contract/ai-budgets';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { readBudgets, readUsedDays } from './budget.store.ts';
import type { BudgetState } from './budget.ts';
import { firstForecastDay } from './forecast.ts';
import { presentBudget } from './present-budget.ts';

/** The budgets that concern the actor; all for administrators. Those of teams that are gone are left out. */
export async function listBudgets(deps: AssistantDeps, actor: Actor): Promise<AiBudget[]> {
  const now = deps.clock.now();
  const all = (await readBudgets(deps.database, actor.orgId, now)).filter(({ id }) => id !== null);
  const concerning = await Promise.all(all.map((budget) => concerns(deps, actor, budget)));
  const shown = all.filter((_budget, index) => concerning[index]);
  if (shown.length === 0) return [];
  const days = await readUsedDays(deps.database, actor.orgId, firstForecastDay(now));
  return shown.map((budget) => presentBudget(budget, days, now));
}

async function concerns(deps: AssistantDeps, actor: Actor, { scope, subject }: BudgetState): Promise<boolean> {
  if (isAdmin(actor)) return true;
  switch (scope) {
    case 'organization':
      return true;
    case 'team':
      return actor.teamKeys.includes(subject);
    case 'user':
      return actor.userId === subject;
    case 'agent':
      return mayRead(deps, actor, subject);
  }
}

async function mayRead(deps: AssistantDeps, actor: Actor, agent: string): Promise<boolean> {
  try {
    await findAgent(deps, actor, agent);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}
