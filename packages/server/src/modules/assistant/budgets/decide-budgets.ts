import type { BudgetMeasure, BudgetScope } from '@portolan/contract/ai-budgets';
import { type Amounts, type BudgetState, findReset, limitedMeasures, type Subject, subjectKey } from './budget.ts';

/** A request, with what its run is expected to use. */
export interface AskedOfBudgets {
  readonly subjects: readonly Subject[];
  readonly expected: Omit<Amounts, 'requests'>;
}

/** The limit that keeps a request from being granted. */
export interface SpentBudget {
  readonly budget: BudgetState;
  readonly measure: BudgetMeasure;
  /** With what requests took that were granted just before. */
  readonly used: number;
  /** What the request would have needed. */
  readonly needed: number;
}

export type Decision =
  | { readonly isGranted: true; readonly charged: readonly Subject[] }
  /** Without a budget, the organization's own quota has no room. */
  | { readonly isGranted: false; readonly spent?: SpentBudget };

/**
 * Which requests are granted, in order of arrival, each counted before the next is looked at. A request is granted if
 * every budget that stops and that it counts for has room for it, and so has the organization's quota: all of them take
 * it, or none.
 */
export function decideBudgets(
  budgets: readonly BudgetState[],
  asked: readonly AskedOfBudgets[],
  room: number,
  now: Date,
): Decision[] {
  const taken = new Map<BudgetState, Amounts>(budgets.map((budget) => [budget, budget.used]));
  let left = room;
  return asked.map(({ subjects, expected }): Decision => {
    const keys = new Set(subjects.map(subjectKey));
    const counted = budgets.filter((budget) => keys.has(subjectKey(budget)));
    const need: Amounts = { requests: 1, ...expected };
    const spent = counted.flatMap((budget) => findSpent(budget, taken.get(budget) as Amounts, need));
    if (spent.length > 0) return { isGranted: false, spent: tightest(spent, now) };
    if (left <= 0) return { isGranted: false };
    left -= 1;
    for (const budget of counted) taken.set(budget, add(taken.get(budget) as Amounts, need));
    const withBudget = new Set(counted.map(subjectKey));
    return { isGranted: true, charged: subjects.filter((each) => withBudget.has(subjectKey(each))) };
  });
}

function findSpent(budget: BudgetState, taken: Amounts, need: Amounts): SpentBudget[] {
  if (budget.action === 'warn') return [];
  return limitedMeasures(budget).flatMap((measure) => {
    const limit = budget.limits[measure] as number;
    const used = taken[measure];
    const isSpent = used >= limit || used + need[measure] > limit;
    return isSpent ? [{ budget, measure, used, needed: need[measure] }] : [];
  });
}

/** From the narrowest to the widest. */
const width: Readonly<Record<BudgetScope, number>> = { user: 0, agent: 1, team: 2, organization: 3 };

/** The one that holds longest, since nothing is granted before; of several, the narrowest. */
function tightest(spent: readonly SpentBudget[], now: Date): SpentBudget {
  return [...spent].sort(
    (one, other) =>
      findReset(other.budget.period, now).getTime() - findReset(one.budget.period, now).getTime() ||
      width[one.budget.scope] - width[other.budget.scope],
  )[0] as SpentBudget;
}

function add(one: Amounts, other: Amounts): Amounts {
  return { requests: one.requests + other.requests, tokens: one.tokens + other.tokens, usd: one.usd + other.usd };
}
