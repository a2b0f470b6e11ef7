import type { AiBudget, BudgetMeasure } from '@portolan/contract/ai-budgets';
import type { UsedDay } from './budget.store.ts';
import { type BudgetState, decideState, findReset, subjectKey } from './budget.ts';
import { daysWithoutData, forecast } from './forecast.ts';

/** A budget as it is answered, with what is to be expected of it. */
export function presentBudget(budget: BudgetState, days: readonly UsedDay[], now: Date): AiBudget {
  const { scope, subject, period, limits, action, warnAt, used, uncosted, countedSince } = budget;
  const reset = findReset(period, now);
  const own = days.filter((day) => subjectKey(day) === subjectKey(budget));
  const forecastOf = (measure: BudgetMeasure) => {
    if (limits[measure] === null) return null;
    const byDay = new Map(own.map((day) => [day.day, day[measure]]));
    const expected = forecast({ used: used[measure], now, reset, byDay, countedSince });
    return expected && rounded(expected, measure);
  };
  const id = budget.id ?? subject;
  return {
    scope,
    id,
    title: budget.title ?? id,
    period,
    ...limits,
    action,
    warnAt,
    used,
    uncosted,
    state: decideState(budget),
    resetDate: reset.toISOString(),
    forecast: {
      requests: forecastOf('requests'),
      tokens: forecastOf('tokens'),
      usd: forecastOf('usd'),
      daysWithoutData: daysWithoutData(now, countedSince),
    },
  };
}

function rounded(
  { expected, low, high }: { readonly expected: number; readonly low: number; readonly high: number },
  measure: BudgetMeasure,
) {
  const round = (value: number) => (measure === 'usd' ? Math.round(value * 10_000) / 10_000 : Math.round(value));
  return { expected: round(expected), low: round(low), high: round(high) };
}
