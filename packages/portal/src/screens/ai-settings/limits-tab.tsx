import { Progress, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { Block } from '../../kit/block.tsx';
import { locale } from '../../kit/language.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { Reading } from '../../kit/states.tsx';
import { duration, exact } from '../../kit/time.ts';
import { plural, t } from '../../kit/translate.ts';
import { BudgetsBlock } from './budgets-block.tsx';
import { InjectionBlock } from './injection-block.tsx';
import { MemoryBlock } from './memory-block.tsx';
import { ReceiptsBlock } from './receipts-block.tsx';

type Limits = AnswerOf<'getAiLimits'>;

/** Monthly quotas with their use, and how long contents are kept. */
export function LimitsTab() {
  const limits = useRead('getAiLimits', undefined, { everyMs: 30_000 });
  const organization = useRead('getOwnOrganization');
  return (
    <Stack gap="md">
      <Reading of={limits} skeleton={<Skeleton height={280} />}>
        {(answer) => <Figures limits={answer} />}
      </Reading>
      <BudgetsBlock />
      <InjectionBlock />
      <ReceiptsBlock />
      <MemoryBlock />
      <Block title={t('Features of this organization')}>
        <Reading of={organization}>
          {({ organization: { featureFlags } }) =>
            featureFlags.length === 0 ? (
              <Text c="dimmed">{t('None is set.')}</Text>
            ) : (
              <ul>
                {featureFlags.map((flag) => (
                  <li key={flag}>
                    <code>{flag}</code>
                    {meanings[flag] && ` – ${meanings[flag]}`}
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
        <Text size="sm" c="dimmed">
          {t('Set by the plan of the organization. You cannot change them here.')}
        </Text>
      </Block>
    </Stack>
  );
}

const meanings: Readonly<Record<string, string>> = {
  USERS_AND_TEAMS_OWNERSHIP_V2: t('users and teams are entities, and owners are named by identifiers'),
};

const plans = { free: t('Free'), standard: t('Standard'), enterprise: t('Enterprise') } as const;

function Figures({ limits }: { limits: Limits }) {
  const { monthlyQuotaUsage: month, rateLimitUsage: hour, plan, contentDays } = limits;
  const reset = exact(new Date(Date.now() + month.remainingTimeMs));
  const rows = [
    {
      name: t('Questions this month'),
      used: month.monthlyLimit - month.remainingQuota,
      max: month.monthlyLimit,
      reset,
    },
    {
      name: t('Questions in the last hour'),
      used: hour.maxRequests - hour.remainingRequests,
      max: hour.maxRequests,
      reset: resetOfHour(hour.remainingTimeMs),
    },
    {
      name: t('Tokens in the last hour'),
      used: hour.maxTokens - hour.remainingTokens,
      max: hour.maxTokens,
      reset: resetOfHour(hour.remainingTimeMs),
    },
  ];
  return (
    <>
      <Block title={t('Limits')}>
        <Text mb="sm">
          <Sentence
            text="The plan is <strong/>. The operator of this installation sets plan and limits."
            parts={{ strong: <strong>{plans[plan]}</strong> }}
          />
        </Text>
        <ScrolledTable label={t('Limits and what was used of them')} minWidth={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Limit')}</Table.Th>
              <Table.Th>{t('Used')}</Table.Th>
              <Table.Th>{t('Allowed')}</Table.Th>
              <Table.Th>{t('Share')}</Table.Th>
              <Table.Th>{t('Resets')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, used, max, reset: at }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {name}
                </Table.Th>
                <Table.Td>{used.toLocaleString(locale)}</Table.Td>
                <Table.Td>{max.toLocaleString(locale)}</Table.Td>
                <Table.Td>
                  <Progress
                    value={share(used, max)}
                    color={share(used, max) >= 80 ? 'red' : 'indigo'}
                    aria-label={t('{name}: {round} % used', { name, round: Math.round(share(used, max)) })}
                    w={120}
                  />
                </Table.Td>
                <Table.Td>{at}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrolledTable>
        <ButtonLink to="/ai/usage" variant="default" size="xs" mt="sm">
          {t('See who uses them')}
        </ButtonLink>
      </Block>
      <Block title={t('How long contents are kept')}>
        <Text>
          {plural(
            contentDays,
            'Questions, answers and logs are deleted one day after an invocation. Who asked when, how it ended, and its figures stay.',
            'Questions, answers and logs are deleted {count} days after an invocation. Who asked when, how it ended, and its figures stay.',
          )}
        </Text>
        <Text size="sm" c="dimmed" mt={4}>
          {t('The operator of this installation sets the time.')}
        </Text>
      </Block>
    </>
  );
}

function share(used: number, max: number): number {
  return max <= 0 ? 100 : Math.min(100, (used / max) * 100);
}

function resetOfHour(remainingMs: number): string {
  return remainingMs > 0
    ? t('begins to free up in {remainingMs}', { remainingMs: duration(remainingMs) })
    : t('nothing is used');
}
