import type { BudgetMeasure, BudgetPeriod } from '@portolan/contract/ai-budgets';
import { AppError } from '../../../platform/errors.ts';
import { type BudgetState, findReset } from './budget.ts';
import type { SpentBudget } from './decide-budgets.ts';

/** The refusal of a question, in words for whoever asked it. */
export function refuseForBudget({ budget, measure, used, needed }: SpentBudget, now: Date): AppError {
  const limit = budget.limits[measure] as number;
  const reset = findReset(budget.period, now);
  const { scope, period } = budget;
  const id = budget.id ?? budget.subject;
  const again = `The budget starts again on ${dayInWords(reset)}; an administrator of the organization may raise it.`;
  return new AppError('ai_budget_exceeded', `${sentence(budget, measure, { limit, used, needed, now })} ${again}`, {
    retryAfterSeconds: Math.max(1, Math.ceil((reset.getTime() - now.getTime()) / 1000)),
    extra: {
      type: 'BUDGET_ERROR',
      scope,
      id,
      title: budget.title ?? id,
      period,
      measure,
      limit,
      used: Math.min(used, limit),
      resetDate: reset.toISOString(),
    },
  });
}

interface Figures {
  readonly limit: number;
  readonly used: number;
  readonly needed: number;
  readonly now: Date;
}

function sentence(budget: BudgetState, measure: BudgetMeasure, { limit, used, needed, now }: Figures): string {
  const [who, has, its] = subjectInWords(budget);
  const amount = amountInWords(measure, limit);
  const when = periodInWords(budget.period, now);
  if (used >= limit) return `${who} ${has} used ${its} ${amount} of ${when}.`;
  const left = amountInWords(measure, limit - used);
  return `${who} ${has} ${left} left of ${its} ${amount} of ${when}, and a run like this needs about ${amountInWords(measure, needed)}.`;
}

/** Who, with the verb and the pronoun that go with it. */
function subjectInWords({ scope, title, id, subject }: BudgetState): readonly [string, string, string] {
  const name = title ?? id ?? subject;
  switch (scope) {
    case 'organization':
      return ['The organization', 'has', 'its'];
    case 'user':
      return ['You', 'have', 'your'];
    case 'team':
      return [`Team ${name}`, 'has', 'its'];
    case 'agent':
      return [`The agent ${name}`, 'has', 'its'];
  }
}

function amountInWords(measure: BudgetMeasure, amount: number): string {
  const figure = amount.toLocaleString('en-US', { maximumFractionDigits: measure === 'usd' ? 4 : 0 });
  if (measure === 'usd') return `$${figure}`;
  return measure === 'tokens' ? `${figure} tokens` : `${figure} ${amount === 1 ? 'request' : 'requests'}`;
}

function periodInWords(period: BudgetPeriod, now: Date): string {
  if (period === 'day') return `${dayInWords(now)} (UTC)`;
  return now.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

function dayInWords(moment: Date): string {
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
}
