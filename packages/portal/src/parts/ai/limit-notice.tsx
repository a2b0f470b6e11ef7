import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, errorCode } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';

/** Why a question was refused: the limit, when it ends and who can change it, or another error. */
export function Refusal({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const code = errorCode(error);
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
