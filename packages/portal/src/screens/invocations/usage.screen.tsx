import { Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { locale } from '../../kit/language.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { Reading } from '../../kit/states.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './invocations.module.css';
import { figuresOfList, figuresOfServer, type UsageFigures } from './usage-figures.ts';

type Invocation = AnswerOf<'listInvocations'>['invocations'][number];

const Chart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));
const readMax = 2_000;
const dayMs = 86_400_000;

/** The number of invocations, and what is left of the quota. */
export function Screen() {
  const [days, setDays] = useUrlState('/ai/usage', 'days');
  const [form, setForm] = useUrlState('/ai/usage', 'as');
  const span = [7, 30].find((each) => each === Number(days)) ?? 7;
  const quota = useRead('getAiQuota');
  const session = useSession();
  const asked = useQuery({
    queryKey: ['getAiUsage', span, isAdmin(session)],
    queryFn: () => (isAdmin(session) ? readMeasured(span) : readListed(span)),
  });
  return (
    <Stack gap="xl" maw={1100}>
      <PageHeader
        title={t('Usage')}
        description={t('Questions to the assistant and to agents, as far as you may see them.')}
      />
      <section aria-labelledby="quota">
        <Title order={2} size="h3" id="quota" mb="xs">
          {t('Quota of this month')}
        </Title>
        <Reading of={quota}>{({ monthlyQuotaUsage }) => <Quota usage={monthlyQuotaUsage} />}</Reading>
      </section>
      <section aria-labelledby="over-time">
        <Stack gap="sm">
          <Title order={2} size="h3" id="over-time">
            {t('How many questions were asked, by day (UTC)?')}
          </Title>
          <div className={classes.figures}>
            <SegmentedControl
              size="xs"
              aria-label={t('Time')}
              data={[
                { value: '7', label: '7 days' },
                { value: '30', label: '30 days' },
              ]}
              value={String(span)}
              onChange={(value) => setDays(Number(value))}
            />
            <SegmentedControl
              size="xs"
              aria-label={t('Form')}
              data={[
                { value: 'chart', label: t('Chart') },
                { value: 'table', label: t('Table') },
              ]}
              value={form === 'table' ? 'table' : 'chart'}
              onChange={setForm}
            />
          </div>
          <Reading of={asked} skeleton={<Skeleton height={260} />}>
            {(figures) => (
              <>
                <Totals figures={figures} />
                {form === 'table' ? (
                  <Days figures={figures} />
                ) : (
                  <div className={classes.chart}>
                    <Suspense fallback={<Skeleton height={260} />}>
                      <Chart days={figures.days} />
                    </Suspense>
                  </div>
                )}
                <div className={classes.columns}>
                  <Ranking title={t('By agent')} filter="agent" of={figures.agents} nobody={t('Assistant')} />
                  <Ranking title={t('By person')} filter="user" of={figures.people} nobody="–" />
                </div>
              </>
            )}
          </Reading>
        </Stack>
      </section>
    </Stack>
  );
}

function Totals({ figures }: { figures: UsageFigures }) {
  const { total, failed, tokens, costUsd, uncosted, isWhole } = figures;
  const facts: [string, string][] = [
    ['questions', `${isWhole ? '' : '≥ '}${total.toLocaleString(locale)}`],
    ['failed', total === 0 ? '0' : `${failed.toLocaleString(locale)} (${((failed / total) * 100).toFixed(1)} %)`],
    ...(tokens
      ? ([
          [t('tokens in'), tokens.input.toLocaleString(locale)],
          ['tokens out', tokens.output.toLocaleString(locale)],
        ] as [string, string][])
      : []),
    ...(costUsd === undefined
      ? []
      : ([
          [
            uncosted > 0 ? t('US dollars, without {uncosted} of unknown cost', { uncosted }) : 'US dollars',
            costUsd.toFixed(2),
          ],
        ] as [string, string][])),
  ];
  return (
    <div className={classes.figures}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.figure}>
          <strong>{value}</strong>
          <span className={classes.figureName}>{name}</span>
        </div>
      ))}
    </div>
  );
}

async function readMeasured(days: number): Promise<UsageFigures> {
  const from = new Date(Date.now() - (days - 1) * dayMs).toISOString();
  return figuresOfServer(
    await call('getAiUsage', { query: { from: `${from.slice(0, 10)}T00:00:00Z`, interval: 'day' } }),
  );
}

/** Reads the invocations that the user may see, up to a limit. */
async function readListed(days: number): Promise<UsageFigures> {
  const from = new Date(Date.now() - days * dayMs).toISOString();
  const invocations: Invocation[] = [];
  let next: string | undefined;
  do {
    const page = await call('listInvocations', { query: { from, limit: 200, next } });
    invocations.push(...page.invocations);
    next = page.next;
  } while (next !== undefined && invocations.length < readMax);
  return figuresOfList(invocations, next === undefined, days, Date.now());
}

function Quota({ usage }: { usage: AnswerOf<'getAiQuota'>['monthlyQuotaUsage'] }) {
  const { monthlyLimit, remainingQuota, month, remainingTimeMs } = usage;
  const used = monthlyLimit - remainingQuota;
  const part = monthlyLimit === 0 ? 100 : Math.min(100, (used / monthlyLimit) * 100);
  const reset = new Date(Date.now() + remainingTimeMs);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the element of that name cannot be given colours of ours */}
      <div
        className={classes.gauge}
        role="meter"
        aria-label={t('Used in {month}', { month })}
        aria-valuemin={0}
        aria-valuemax={monthlyLimit}
        aria-valuenow={used}
        aria-valuetext={t('{used} of {monthlyLimit} used', { used, monthlyLimit })}
        data-low={part > 80 || undefined}
      >
        <span className={classes.gaugeUsed} style={{ width: `${part}%` }} />
      </div>
      <Text mt={6}>
        {t('{used} of {monthlyLimit} used in {month}; {max} left. The quota resets at {reset}.', {
          used: used.toLocaleString(locale),
          monthlyLimit: monthlyLimit.toLocaleString(locale),
          month,
          max: Math.max(0, remainingQuota).toLocaleString(locale),
          reset: exact(reset),
        })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('The plan of the organization sets the limit. The operator of this installation can adjust it.')}
      </Text>
    </>
  );
}

function Days({ figures: { days, tokens } }: { figures: UsageFigures }) {
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Day')}</Table.Th>
            <Table.Th>{t('Completed')}</Table.Th>
            <Table.Th>{t('Failed')}</Table.Th>
            <Table.Th>{t('In progress')}</Table.Th>
            {tokens && <Table.Th>{t('Tokens')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map(({ day, completed, failed, inProgress, tokens: ofDay }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                {day}
              </Table.Th>
              <Table.Td>{completed}</Table.Td>
              <Table.Td>{failed}</Table.Td>
              <Table.Td>{inProgress}</Table.Td>
              {tokens && <Table.Td>{ofDay?.toLocaleString(locale)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Ranking({
  title,
  of,
  filter,
  nobody,
}: {
  title: string;
  of: UsageFigures['agents'];
  filter: 'agent' | 'user';
  nobody: string;
}) {
  if (of.length === 0) return null;
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th>{t('Questions')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {of.map(([name, count]) => (
          <Table.Tr key={name ?? ''}>
            <Table.Td>
              {name === null ? (
                nobody
              ) : (
                <Link to="/ai/invocations" search={{ [filter]: name }} className={classes.link}>
                  {name}
                </Link>
              )}
            </Table.Td>
            <Table.Td>{count.toLocaleString(locale)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
