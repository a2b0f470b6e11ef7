import * as contract from '@portolan/contract/ai-budgets';
import { type Route, route } from '../../../platform/http/route.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { listBudgets } from './list-budgets.ts';
import { deleteBudget, type NamedBudget, putBudget } from './write-budgets.ts';

export function budgetRoutes(deps: AssistantDeps): Route[] {
  return [
    route(contract.listAiBudgets, async (_input, { actor }) => ({ budgets: await listBudgets(deps, actor) })),
    route(contract.putAiBudget, async ({ params, body }, { actor }) => ({
      budget: await putBudget(deps, actor, named(params), body),
    })),
    route(contract.deleteAiBudget, async ({ params }, { actor }) => {
      await deleteBudget(deps, actor, named(params));
      return {};
    }),
  ];
}

function named({
  scope,
  budget_identifier: id,
  period,
}: Pick<NamedBudget, 'scope' | 'period'> & { readonly budget_identifier: string }): NamedBudget {
  return { scope, id, period };
}
