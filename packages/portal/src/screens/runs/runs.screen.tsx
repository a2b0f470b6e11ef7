import { Button, Group, Select, Switch, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { isOver, type Run, runAddress, thingIdentifier, thingTitle } from '../../parts/run-things.ts';
import classes from './runs.module.css';

type ListedRun = Partial<Run>;

const states = [
  { value: 'IN_PROGRESS', label: 'In progress' },
  { value: 'WAITING_FOR_APPROVAL', label: 'Waits for approval' },
  { value: 'SUCCESS', label: 'Success' },
  { value: 'FAILURE', label: 'Failure' },
  { value: 'DECLINED', label: 'Declined' },
  { value: 'DRAFT', label: 'Draft' },
];
const sources = [
  { value: 'UI', label: 'Portal' },
  { value: 'API', label: 'API' },
  { value: 'AUTOMATION', label: 'Automation' },
];
const pageSize = 100;
const most = 1000;

/** All runs, newest first; the address holds the filters. */
export function Screen() {
  const { user } = useSession();
  const navigate = useNavigate();
  const [status, setStatus] = useUrlState('/runs', 'status');
  const [action, setAction] = useUrlState('/runs', 'action');
  const [source, setSource] = useUrlState('/runs', 'source');
  const [entity, setEntity] = useUrlState('/runs', 'entity');
  const [mine, setMine] = useUrlState('/runs', 'mine');
  const [limit, setLimit] = useState(pageSize);
  const actions = useRead('listActions', { query: { version: 'v2' } });
  const runs = useRead(
    'listRuns',
    {
      query: {
        version: 'v2',
        limit,
        exclude: ['payload', 'response', 'properties'],
        ...(status ? { status } : {}),
        ...(action ? { action } : {}),
        ...(source ? { source: [source] } : {}),
        ...(entity === undefined ? {} : { entity: String(entity) }),
        ...(mine && user ? { user_email: user.email } : {}),
      },
    },
    { everyMs: 15_000, keepsPrevious: true },
  );
  const isFiltered = Boolean(status || action || source || mine) || entity !== undefined;
  const clear = () => void navigate({ to: '/runs', search: {}, replace: true });
  return (
    <>
      <PageHeader
        title="Runs"
        description="What was run by people, programs and automations, newest first."
        actions={
          <ButtonLink to="/self-service" variant="default">
            Run an action
          </ButtonLink>
        }
      />
      <Group gap="xs" mb="md" align="center">
        <Filter label="Status" data={states} value={status} onChange={setStatus} />
        <Filter
          label="Action"
          data={(actions.data?.actions ?? []).map(({ identifier, title }) => ({
            value: identifier,
            label: title || identifier,
          }))}
          value={action}
          onChange={setAction}
        />
        <Filter label="Source" data={sources} value={source} onChange={setSource} />
        <TextInput
          aria-label="Entity"
          placeholder="Entity (identifier)"
          className={classes.filter ?? ''}
          defaultValue={entity === undefined ? '' : String(entity)}
          key={String(entity)}
          onBlur={({ currentTarget }) => setEntity(currentTarget.value.trim() || undefined)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && setEntity(currentTarget.value.trim() || undefined)}
        />
        {user && (
          <Switch
            label="Mine"
            checked={mine === true}
            onChange={({ currentTarget }) => setMine(currentTarget.checked || undefined)}
          />
        )}
        {isFiltered && (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
      <Reading of={runs} skeleton={<TableSkeleton />}>
        {({ runs: rows }) => (
          <DataTable
            label="Runs"
            columns={columns}
            rows={rows as readonly ListedRun[]}
            keyOf={({ id }) => id ?? ''}
            onOpen={({ id = '' }) => void navigate(runAddress(id))}
            hasMore={rows.length >= limit && limit < most}
            isLoadingMore={runs.isFetching}
            onMore={() => setLimit(Math.min(most, limit + pageSize * 2))}
            total={{ count: rows.length, isExact: rows.length < limit }}
            empty={
              isFiltered ? (
                <EmptyState
                  title="No run fits"
                  action={
                    <Button variant="default" size="xs" onClick={clear}>
                      Clear filters
                    </Button>
                  }
                />
              ) : (
                <EmptyState
                  title="Nothing has run yet"
                  action={
                    <ButtonLink to="/self-service" size="xs">
                      Run an action
                    </ButtonLink>
                  }
                />
              )
            }
          />
        )}
      </Reading>
    </>
  );
}

function Filter({
  label,
  data,
  value,
  onChange,
}: {
  label: string;
  data: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <Select
      className={classes.filter ?? ''}
      aria-label={label}
      placeholder={label}
      data={data}
      value={value ?? null}
      searchable={data.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

const columns: readonly Column<ListedRun>[] = [
  {
    key: 'action',
    title: 'Action',
    width: 220,
    cell: ({ id = '', action }) => (
      <Link {...runAddress(id)} className={classes.link} dir="auto">
        {thingTitle(action) ?? id}
      </Link>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 170,
    cell: ({ status = '', statusLabel }) => <StatusBadge status={status} label={statusLabel} />,
  },
  {
    key: 'entity',
    title: 'Entity',
    width: 160,
    cell: ({ entity, blueprint }) => {
      const [identifier, of] = [thingIdentifier(entity), thingIdentifier(blueprint)];
      return identifier && of ? (
        <EntityAnchor blueprint={of} identifier={identifier} title={thingTitle(entity)} />
      ) : (
        '–'
      );
    },
  },
  { key: 'by', title: 'By', width: 180, cell: ({ createdBy }) => <span dir="auto">{createdBy}</span> },
  {
    key: 'source',
    title: 'Via',
    width: 90,
    cell: ({ source }) => sources.find(({ value }) => value === source)?.label ?? source,
  },
  { key: 'started', title: 'Started', width: 120, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    key: 'lasted',
    title: 'Took',
    width: 90,
    cell: (run) =>
      isOver(run) && run.createdAt && run.endedAt ? duration(Date.parse(run.endedAt) - Date.parse(run.createdAt)) : '–',
  },
];
