import { SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { Reading } from '../../kit/states.tsx';
import { exact } from '../../kit/time.ts';
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
              onChange={(value) => setDays(Number(value))}
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
                  <Ranking title="By agent" filter="agent" of={figures.agents} nobody="Assistant" />
                  <Ranking title="By person" filter="user" of={figures.people} nobody="–" />
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
    ['questions', `${isWhole ? '' : '≥ '}${total.toLocaleString()}`],
    ['failed', total === 0 ? '0' : `${failed.toLocaleString()} (${((failed / total) * 100).toFixed(1)} %)`],
    ...(tokens
      ? ([
          ['tokens in', tokens.input.toLocaleString()],
          ['tokens out', tokens.output.toLocaleString()],
        ] as [string, string][])
      : []),
    ...(costUsd === undefined
      ? []
      : ([[uncosted > 0 ? `US dollars, without ${uncosted} of unknown cost` : 'US dollars', costUsd.toFixed(2)]] as [
          string,
          string,
        ][])),
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
        aria-label={`Used in ${month}`}
        aria-valuemin={0}
        aria-valuemax={monthlyLimit}
        aria-valuenow={used}
        aria-valuetext={`${used} of ${monthlyLimit} used`}
        data-low={part > 80 || undefined}
      >
        <span className={classes.gaugeUsed} style={{ width: `${part}%` }} />
      </div>
      <Text mt={6}>
        {used.toLocaleString()} of {monthlyLimit.toLocaleString()} used in {month};{' '}
        {Math.max(0, remainingQuota).toLocaleString()} left. The quota resets at {exact(reset)}.
      </Text>
      <Text size="sm" c="dimmed">
        The plan of the organization sets the limit. The operator of this installation can adjust it.
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
            <Table.Th>Day</Table.Th>
            <Table.Th>Completed</Table.Th>
            <Table.Th>Failed</Table.Th>
            <Table.Th>In progress</Table.Th>
            {tokens && <Table.Th>Tokens</Table.Th>}
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
              {tokens && <Table.Td>{ofDay?.toLocaleString()}</Table.Td>}
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
          <Table.Th>Questions</Table.Th>
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
            <Table.Td>{count.toLocaleString()}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
