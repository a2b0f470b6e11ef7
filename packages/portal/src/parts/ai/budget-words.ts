import type { AiBudget, BudgetMeasure } from '@portolan/contract/ai-budgets';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';

const measures: readonly BudgetMeasure[] = ['requests', 'tokens', 'usd'];

/** The limits that are set, with what is used of each. */
export function listLimits(budget: AiBudget) {
  return measures.flatMap((measure) => {
    const limit = budget[measure];
    return limit === null ? [] : [{ measure, limit, used: budget.used[measure], forecast: budget.forecast[measure] }];
  });
}

/** A figure with what it counts: `8,200 requests`, `$20.00`. */
export function amount(measure: BudgetMeasure, value: number): string {
  if (measure === 'usd') {
    return value.toLocaleString(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });
  }
  const figure = Math.round(value).toLocaleString(locale);
  return measure === 'tokens' ? t('{figure} tokens', { figure }) : t('{figure} questions', { figure });
}

/** Whose budget it is, in words. */
export function whose({ scope, title }: Pick<AiBudget, 'scope' | 'title'>): string {
  switch (scope) {
    case 'organization':
      return t('The organization');
    case 'team':
      return t('Team {title}', { title });
    case 'user':
      return title;
    case 'agent':
      return t('Agent {title}', { title });
  }
}

/** The last day of the period, as `30 November`; a budget begins anew on the day after it. */
function lastDay({ resetDate }: Pick<AiBudget, 'resetDate'>): string {
  return day(new Date(Date.parse(resetDate) - 1));
}

export function day(moment: Date): string {
  return moment.toLocaleDateString(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
}

/** What to expect at the end of the period. */
export function expectation(
  budget: AiBudget,
  { measure, limit, forecast }: ReturnType<typeof listLimits>[number],
): string {
  if (!forecast) return t('No day was counted yet, so there is no forecast.');
  const values = {
    expected: amount(measure, forecast.expected),
    limit: amount(measure, limit),
    lastDay: lastDay(budget),
    low: amount(measure, forecast.low),
    high: amount(measure, forecast.high),
  };
  return budget.period === 'day'
    ? t('About {expected} of {limit} by the end of today, between {low} and {high}', values)
    : t('About {expected} of {limit} by {lastDay}, between {low} and {high}', values);
}
