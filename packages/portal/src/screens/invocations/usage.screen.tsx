import { SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Reading } from '../../parts/states.tsx';
import { exact } from '../../parts/time.ts';
import classes from './invocations.module.css';
import { byDay, mostFrequent } from './usage-figures.ts';

type Invocation = AnswerOf<'listInvocations'>['invocations'][number];

const Chart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));
const readMax = 2_000;
const dayMs = 86_400_000;

/** How much is asked, and what is left. */
export function Screen() {
  const [days, setDays] = useUrlState<string | number>('days');
  const [form, setForm] = useUrlState('as');
  const span = [7, 30].find((each) => each === Number(days)) ?? 7;
  const quota = useRead('getAiQuota');
  const asked = useQuery({ queryKey: ['listInvocations', 'usage', span], queryFn: () => readAll(span) });
  return (
    <Stack gap="xl" maw={1100}>
      <PageHeader title="Usage" description="Questions to the assistant and to agents, as far as you may see them." />
      <section aria-labelledby="quota">
        <Title order={2} size="h3" id="quota" mb="xs">
          Quota of this month
        </Title>
        <Reading of={quota}>{({ monthlyQuotaUsage }) => <Quota usage={monthlyQuotaUsage} />}</Reading>
      </section>
      <section aria-labelledby="over-time">
        <Stack gap="sm">
          <Title order={2} size="h3" id="over-time">
            How many questions were asked, by day (UTC)?
          </Title>
          <div className={classes.figures}>
            <SegmentedControl
              size="xs"
              aria-label="Time"
              data={[
                { value: '7', label: '7 days' },
                { value: '30', label: '30 days' },
              ]}
              value={String(span)}
              onChange={setDays}
            />
            <SegmentedControl
              size="xs"
              aria-label="Form"
              data={[
                { value: 'chart', label: 'Chart' },
                { value: 'table', label: 'Table' },
              ]}
              value={form === 'table' ? 'table' : 'chart'}
              onChange={setForm}
            />
          </div>
          <Reading of={asked} skeleton={<Skeleton height={260} />}>
            {({ invocations, isWhole }) => {
              const figures = byDay(invocations, span, Date.now());
              const failed = invocations.filter(({ status }) => status === 'Failed').length;
              return (
                <>
                  <Text role="status">
                    {isWhole ? '' : '≥ '}
                    {invocations.length.toLocaleString()} questions, {failed.toLocaleString()} of them failed.
                    {!isWhole && ` Only the newest ${readMax.toLocaleString()} were read.`}
                  </Text>
                  {form === 'table' ? (
                    <Days figures={figures} />
                  ) : (
                    <div className={classes.chart}>
                      <Suspense fallback={<Skeleton height={260} />}>
                        <Chart days={figures} />
                      </Suspense>
                    </div>
                  )}
                  <Ranking
                    title="By agent"
                    filter="agent"
                    of={mostFrequent(invocations.map(({ agent }) => agent ?? 'Assistant'))}
                  />
                  <Ranking
                    title="By person"
                    filter="user"
                    of={mostFrequent(invocations.map(({ askedBy }) => askedBy ?? '–'))}
                  />
                </>
              );
            }}
          </Reading>
        </Stack>
      </section>
    </Stack>
  );
}

/** Everything of the time, up to a bound. */
async function readAll(days: number): Promise<{ invocations: readonly Invocation[]; isWhole: boolean }> {
  const from = new Date(Date.now() - days * dayMs).toISOString();
  const invocations: Invocation[] = [];
  let next: string | undefined;
  do {
    const page = await call('listInvocations', { query: { from, limit: 200, next } });
    invocations.push(...page.invocations);
    next = page.next;
  } while (next !== undefined && invocations.length < readMax);
  return { invocations, isWhole: next === undefined };
}

function Quota({ usage }: { usage: AnswerOf<'getAiQuota'>['monthlyQuotaUsage'] }) {
  const { monthlyLimit, remainingQuota, month, remainingTimeMs } = usage;
  const used = monthlyLimit - remainingQuota;
  const part = monthlyLimit === 0 ? 100 : Math.min(100, (used / monthlyLimit) * 100);
  const reset = new Date(Date.now() + remainingTimeMs);
  return (
    <>
      <div
        className={classes.gauge}
        // biome-ignore lint/a11y/useSemanticElements: the element of that name cannot be given colours of ours
        role="meter"
        aria-label={`Used in ${month}`}
        aria-valuemin={0}
        aria-valuemax={monthlyLimit}
        aria-valuenow={used}
        aria-valuetext={`${used} of ${monthlyLimit} used`}
        data-low={part > 80 || undefined}
      >
        <span style={{ width: `${part}%` }} />
      </div>
      <Text mt={6}>
        {used.toLocaleString()} of {monthlyLimit.toLocaleString()} used in {month};{' '}
        {Math.max(0, remainingQuota).toLocaleString()} left. It resets at {exact(reset)}.
      </Text>
      <Text size="sm" c="dimmed">
        The plan of the organization sets the limit. The operator of this installation can adjust it.
      </Text>
    </>
  );
}

function Days({ figures }: { figures: ReturnType<typeof byDay> }) {
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day</Table.Th>
            <Table.Th>Completed</Table.Th>
            <Table.Th>Failed</Table.Th>
            <Table.Th>In progress</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.map(({ day, completed, failed, inProgress }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                {day}
              </Table.Th>
              <Table.Td>{completed}</Table.Td>
              <Table.Td>{failed}</Table.Td>
              <Table.Td>{inProgress}</Table.Td>
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
}: {
  title: string;
  of: ReturnType<typeof mostFrequent>;
  filter: 'agent' | 'user';
}) {
  if (of.length === 0) return null;
  return (
    <Table maw={560}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th>Questions</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {of.map(([name, count]) => (
          <Table.Tr key={name}>
            <Table.Td>
              {name === 'Assistant' || name === '–' ? (
                name
              ) : (
                <Link to="/ai/invocations" search={{ [filter]: name } as never} className={classes.link}>
                  {name}
                </Link>
              )}
            </Table.Td>
            <Table.Td>{count.toLocaleString()}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
