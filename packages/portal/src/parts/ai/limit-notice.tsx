import { Alert, Button, Group, Text } from '@mantine/core';
import type { AiBudget, BudgetMeasure } from '@portolan/contract/ai-budgets';
import { ApiError, errorCode } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { amount, day, listLimits, whose } from './budget-words.ts';

/** Why a question was refused: the limit, when it ends and who can change it, or another error. */
export function Refusal({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const code = errorCode(error);
  if (code === 'ai_budget_exceeded') return <SpentBudget error={error} onRetry={onRetry} />;
  if (code !== 'ai_rate_limited' && code !== 'ai_quota_exceeded') {
    return <ErrorState error={error} what={t('The question was not answered')} onRetry={onRetry} />;
  }
  const isMonthly = code === 'ai_quota_exceeded';
  const reset = readReset(error);
  return (
    <Alert
      color="yellow"
      title={isMonthly ? t('The quota of this month is used up') : t('The limit of this hour is reached')}
    >
      <Text size="sm">{error.message}</Text>
      <Text size="sm" mt={4}>
        {reset && (
          <>
            <Sentence
              text="The limit resets <time/> ({reset})."
              values={{ reset: exact(reset) }}
              parts={{ time: <RelativeTime at={reset} /> }}
            />{' '}
          </>
        )}
        {t('The operator of this installation can adjust it. Your question is kept.')}
      </Text>
      {onRetry && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('Ask again')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** Which budget is used up, and when it begins anew. */
function SpentBudget({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const reset = readReset(error);
  const body = ((error instanceof ApiError ? error.body : undefined) ?? {}) as Partial<BudgetRefusal>;
  const { scope = 'organization', title = '', measure = 'requests', limit = 0, used = 0, period = 'month' } = body;
  const values = {
    whose: whose({ scope, title }),
    limit: amount(measure, limit),
    left: amount(measure, Math.max(0, limit - used)),
    when: period === 'day' ? t('today') : monthOf(reset),
    day: reset ? day(reset) : '',
  };
  const isMine = scope === 'user';
  return (
    <Alert color="yellow" title={t('A budget is used up')}>
      <Text size="sm">
        {used < limit
          ? t('Of the {limit} of {whose}, {left} are left: too few for this question.', values)
          : isMine
            ? t('You have used your {limit} of {when}.', values)
            : t('{whose} has used its {limit} of {when}.', values)}{' '}
        {reset && t('The budget starts again on {day}; administrators of the organization may raise it.', values)}
      </Text>
      <Text size="sm" mt={4}>
        {t('Your question is kept.')}
      </Text>
      {onRetry && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('Ask again')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

interface BudgetRefusal extends Pick<AiBudget, 'scope' | 'title' | 'period'> {
  readonly measure: BudgetMeasure;
  readonly limit: number;
  readonly used: number;
}

function monthOf(reset: Date | undefined): string {
  const last = new Date((reset?.getTime() ?? Date.now()) - 1);
  return last.toLocaleDateString(locale, { month: 'long', timeZone: 'UTC' });
}

/** What is left of the tightest budget of the person, in one line; nothing without a budget. */
export function BudgetLine() {
  const { data } = useRead('listAiBudgets');
  const own = (data?.budgets ?? []).filter(({ scope, action }) => scope !== 'agent' && action === 'stop');
  const limits = own.flatMap((budget) => listLimits(budget).map((each) => ({ ...each, budget })));
  const [tightest] = limits.sort((one, other) => other.used / other.limit - one.used / one.limit);
  if (!tightest) return null;
  const { budget, measure, limit, used } = tightest;
  const values = { left: amount(measure, Math.max(0, limit - used)), whose: whose(budget) };
  return (
    <span data-low={budget.state !== 'within' || undefined}>
      {budget.scope === 'user'
        ? t('{left} left in your budget', values)
        : t('{left} left in the budget of {whose}', values)}
    </span>
  );
}

function readReset(error: Error): Date | undefined {
  const body = (error instanceof ApiError ? error.body : undefined) as
    | { retryAfter?: number; resetDate?: string }
    | undefined;
  if (body?.resetDate && !Number.isNaN(Date.parse(body.resetDate))) return new Date(body.resetDate);
  return typeof body?.retryAfter === 'number' ? new Date(Date.now() + body.retryAfter * 1000) : undefined;
}

/** The remaining monthly quota, in one line. */
export function QuotaLine() {
  const { data } = useRead('getAiQuota');
  if (!data) return null;
  const { remainingQuota, monthlyLimit } = data.monthlyQuotaUsage;
  return (
    <span data-low={remainingQuota < monthlyLimit / 5 || undefined}>
      {t('{max} of {monthlyLimit} questions left this month', {
        max: Math.max(0, remainingQuota).toLocaleString(locale),
        monthlyLimit: monthlyLimit.toLocaleString(locale),
      })}
    </span>
  );
}
