import type { Tx } from '../../../platform/db/database.ts';
import type { Quotas } from '../../organizations/index.ts';
import type { Used } from '../usage.store.ts';
import { readBudgets } from './budget.store.ts';
import { type BudgetState, limitedMeasures, listSubjects, type Payer } from './budget.ts';
import { type Expected, readExpected, takeWithBudgets } from './charge.store.ts';
import { type Decision, decideBudgets } from './decide-budgets.ts';

export interface AskedWithPayer {
  readonly id: string;
  readonly payer: Payer;
}

/**
 * Grants what budgets and the organization's quota leave room for, in order of arrival, and counts it, for whoever holds
 * the month's row of `ai_usage`. Only organizations with budgets come here.
 */
export async function takeBudgets(
  tx: Tx,
  orgId: string,
  asked: readonly AskedWithPayer[],
  { quotas, used, now }: { readonly quotas: Quotas; readonly used: Used; readonly now: Date },
): Promise<Decision[]> {
  const subjects = asked.map(({ payer }) => listSubjects(payer));
  const budgets = await readBudgets(tx, orgId, now, subjects.flat());
  const expected = await expectedOf(tx, orgId, budgets, asked);
  const decisions = decideBudgets(
    budgets,
    asked.map((each, index) => ({ subjects: subjects[index] ?? [], expected: expected(each) })),
    roomLeft(quotas, used),
    now,
  );
  const granted = decisions.flatMap((decision, index) => {
    const each = asked[index] as AskedWithPayer;
    return decision.isGranted ? [{ ...expected(each), id: each.id, subjects: decision.charged }] : [];
  });
  if (granted.length > 0) {
    const charges = granted.filter((each) => each.subjects.length > 0);
    await takeWithBudgets(
      tx,
      orgId,
      granted.map(({ id }) => id),
      charges,
      now,
    );
  }
  return decisions;
}

/** How many requests the quota has room for, as `takeRequests` says it. */
function roomLeft({ monthlyInvocations, hourlyRequests, hourlyTokens }: Quotas, used: Used): number {
  if (used.tokens >= hourlyTokens) return 0;
  return Math.max(0, Math.min(monthlyInvocations - used.month, hourlyRequests - used.requests));
}

/** What each run is expected to use; nothing is looked up where only requests are limited. */
async function expectedOf(
  tx: Tx,
  orgId: string,
  budgets: readonly BudgetState[],
  asked: readonly AskedWithPayer[],
): Promise<(each: AskedWithPayer) => Expected> {
  const none: Expected = { tokens: 0, usd: 0 };
  const isNeeded = budgets.some((budget) => limitedMeasures(budget).some((measure) => measure !== 'requests'));
  if (!isNeeded) return () => none;
  const agents = [...new Set(asked.map(({ payer }) => payer.agent?.identifier ?? null))];
  const found = await readExpected(tx, orgId, agents);
  const byAgent = new Map(agents.map((agent, index) => [agent, found[index] ?? none]));
  return ({ payer }) => byAgent.get(payer.agent?.identifier ?? null) ?? none;
}
