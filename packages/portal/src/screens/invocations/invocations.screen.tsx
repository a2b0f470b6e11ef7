import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, linkOptions, useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, ErrorState, TableSkeleton, useIsSlow } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './invocations.module.css';

type Invocation = AnswerOf<'listInvocations'>['invocations'][number];

const statuses = ['In Progress', 'Completed', 'Failed'] as const;
const statusTitles = { 'In Progress': t('In progress'), Completed: t('Completed'), Failed: t('Failed') };
const spans = [
  { value: '1', label: t('Last 24 hours') },
  { value: '7', label: t('Last 7 days') },
  { value: '30', label: t('Last 30 days') },
];
const dayMs = 86_400_000;

/** Invocations, newest first. The server decides whose invocations the user sees. */
export function Screen() {
  const [status, setStatus] = useUrlState('/ai/invocations', 'status');
  const [agent, setAgent] = useUrlState('/ai/invocations', 'agent');
  const [user, setUser] = useUrlState('/ai/invocations', 'user');
  const [label, setLabel] = useUrlState('/ai/invocations', 'label');
  const [days, setDays] = useUrlState('/ai/invocations', 'days');
  const navigate = useNavigate();
  const agents = useRead('listEntities', { params: { blueprint_identifier: '_ai_agent' } });
  const labels = String(label ?? '')
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => /^[^=]+=/.test(pair));
  const query = {
    limit: 50,
    status: statuses.find((each) => each === status),
    agent: agent === undefined ? undefined : String(agent),
    user: user === undefined ? undefined : String(user),
    label: labels.length > 0 ? labels : undefined,
  };
  const list = useInfiniteQuery({
    queryKey: ['listInvocations', query, days],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const from = days === undefined ? undefined : new Date(Date.now() - Number(days) * dayMs).toISOString();
      return call('listInvocations', { query: { ...query, from, next: pageParam }, signal });
    },
    getNextPageParam: ({ next }) => next,
    // poll while an invocation is pending
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.invocations.some((each) => each.status === 'In Progress')) ? 3_000 : 30_000,
  });
  const isSlow = useIsSlow(list.isPending);
  const rows = list.data?.pages.flatMap((page) => page.invocations) ?? [];
  const isFiltered = [status, agent, user, label, days].some((each) => each !== undefined);
  const clear = () => void navigate({ to: '/ai/invocations', search: {} });
  return (
    <>
      <PageHeader
        title={t('Invocations')}
        description={t(
          'Every question to the assistant and to agents, with what was done for it. You see your own and those of agents that your teams own; administrators see all.',
        )}
      />
      <Group mb="sm" align="flex-end" gap="xs">
        <Choice
          label={t('Status')}
          any={t('Any')}
          options={statuses.map((each) => ({ value: each, label: statusTitles[each] }))}
          value={query.status}
          onSet={setStatus}
        />
        <Choice
          label={t('Agent')}
          any={t('Any')}
          options={(agents.data?.entities ?? []).map(({ identifier = '', title }) => ({
            value: identifier,
            label: title || identifier,
          }))}
          value={query.agent}
          onSet={setAgent}
        />
        <Filter
          key={`user ${user}`}
          label={t('Asked by')}
          placeholder="name@example.com"
          value={query.user}
          onSet={setUser}
        />
        <Filter
          key={`label ${label}`}
          label={t('Labels')}
          placeholder={t('key=value, key=value')}
          value={label === undefined ? undefined : String(label)}
          onSet={setLabel}
        />
        <Choice
          label={t('Asked')}
          any={t('Any time')}
          options={spans}
          value={days === undefined ? undefined : String(days)}
          onSet={(value) => setDays(value === undefined ? undefined : Number(value))}
        />
        {isFiltered && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {t('Clear filters')}
          </Button>
        )}
      </Group>
      {list.isPending && <div aria-busy="true">{isSlow && <TableSkeleton />}</div>}
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <DataTable
          label={t('Invocations')}
          columns={listColumns(
            new Map((agents.data?.entities ?? []).map((each) => [each.identifier ?? '', each.title])),
          )}
          rows={rows}
          keyOf={({ identifier }) => identifier}
          onOpen={({ identifier }) => void navigate(invocationAddress(identifier))}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
          empty={
            isFiltered ? (
              <NothingFits title={t('No invocation fits these filters.')} onClear={clear} />
            ) : (
              <EmptyState
                title={t('Nobody has asked yet')}
                action={<ButtonLink to="/ai">{t('Ask the assistant')}</ButtonLink>}
              >
                {t('Each question is kept here, with the tools that were used and the answer.')}
              </EmptyState>
            )
          }
        />
      )}
    </>
  );
}

function Choice({
  label,
  any,
  options,
  value,
  onSet,
}: {
  label: string;
  any: string;
  options: readonly { readonly value: string; readonly label: string }[];
  value: string | undefined;
  onSet: (value: string | undefined) => void;
}) {
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return (
    <NativeSelect
      label={label}
      size="xs"
      w={160}
      data={[{ value: '', label: any }, ...options, ...(isKnown ? [] : [{ value, label: value }])]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onSet(currentTarget.value || undefined)}
      rightSection={<ChevronDown size={14} aria-hidden="true" />}
    />
  );
}

/** Applies on blur or Enter. */
function Filter({
  label,
  placeholder,
  value,
  onSet,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onSet: (value: string | undefined) => void;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        (document.activeElement as HTMLElement | null)?.blur();
      }}
    >
      <TextInput
        label={label}
        placeholder={placeholder}
        size="xs"
        w={180}
        defaultValue={value ?? ''}
        onBlur={({ currentTarget }) => {
          const written = currentTarget.value.trim() || undefined;
          if (written !== value) onSet(written);
        }}
      />
    </form>
  );
}

function invocationAddress(identifier: string) {
  return linkOptions({ to: '/ai/invocations/$invocation', params: { invocation: identifier } });
}

function listColumns(titles: ReadonlyMap<string, string | null | undefined>): Column<Invocation>[] {
  return [
    {
      key: 'prompt',
      title: t('Question'),
      width: 320,
      cell: ({ identifier, prompt }) => (
        <Link {...invocationAddress(identifier)} className={classes.link} title={prompt}>
          <span dir="auto">{prompt.split('\n', 1)[0]}</span>
        </Link>
      ),
    },
    { key: 'status', title: t('Status'), width: 130, cell: ({ status }) => <StatusBadge status={status} /> },
    { key: 'asked', title: t('Asked'), width: 130, cell: ({ askedAt }) => <RelativeTime at={askedAt} /> },
    {
      key: 'took',
      title: t('Took'),
      width: 90,
      cell: ({ askedAt, repliedAt }) => (repliedAt ? duration(Date.parse(repliedAt) - Date.parse(askedAt)) : '–'),
    },
    { key: 'by', title: t('Asked by'), width: 200, cell: ({ askedBy }) => askedBy ?? '–' },
    {
      key: 'agent',
      title: t('Agent'),
      width: 150,
      cell: ({ agent }) => (agent === null ? t('Assistant') : titles.get(agent) || agent),
    },
    { key: 'model', title: t('Model'), width: 170, cell: ({ provider, model }) => `${provider} · ${model}` },
    { key: 'labels', title: t('Labels'), width: 180, cell: ({ labels }) => labelText(labels) },
    {
      key: 'error',
      title: t('Error'),
      width: 260,
      cell: ({ error }) => (error ? <span title={error}>{error}</span> : '–'),
    },
  ];
}

function labelText(labels: Invocation['labels']): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return pairs.join(' ') || '–';
}
