import { Button, Group, Switch, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import type { Column } from '../../kit/column.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { isOver, type Run, runAddress, thingIdentifier, thingTitle } from '../../parts/run-things.ts';
import { RunTable, useRunLimit } from '../../parts/runs/run-table.tsx';
import classes from './runs.module.css';

type ListedRun = Partial<Run>;

const states = [
  { value: 'IN_PROGRESS', label: t('In progress') },
  { value: 'WAITING_FOR_APPROVAL', label: t('Waits for approval') },
  { value: 'SUCCESS', label: t('Success') },
  { value: 'FAILURE', label: t('Failure') },
  { value: 'DECLINED', label: t('Declined') },
  { value: 'DRAFT', label: t('Draft') },
];
const sources = [
  { value: 'UI', label: t('Portal') },
  { value: 'API', label: 'API' },
  { value: 'AUTOMATION', label: t('Automation') },
];

/** All runs, newest first; the address holds the filters. */
export function Screen() {
  const { user } = useSession();
  const navigate = useNavigate();
  const [status, setStatus] = useUrlState('/runs', 'status');
  const [action, setAction] = useUrlState('/runs', 'action');
  const [source, setSource] = useUrlState('/runs', 'source');
  const [entity, setEntity] = useUrlState('/runs', 'entity');
  const [mine, setMine] = useUrlState('/runs', 'mine');
  const shown = useRunLimit();
  const actions = useRead('listActions', { query: { version: 'v2' } });
  const runs = useRead(
    'listRuns',
    {
      query: {
        version: 'v2',
        limit: shown.limit,
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
        title={t('Runs')}
        description={t('What was run by people, programs and automations, newest first.')}
        actions={
          <ButtonLink to="/self-service" variant="default">
            {t('Run an action')}
          </ButtonLink>
        }
      />
      <Group gap="xs" mb="md" align="center">
        <FilterSelect label={t('Status')} any={t('Any status')} data={states} value={status} onChange={setStatus} />
        <FilterSelect
          label={t('Action')}
          any={t('Any action')}
          data={(actions.data?.actions ?? []).map(({ identifier, title }) => ({
            value: identifier,
            label: title || identifier,
          }))}
          value={action}
          onChange={setAction}
        />
        <FilterSelect label={t('Source')} any={t('Any source')} data={sources} value={source} onChange={setSource} />
        <TextInput
          aria-label={t('Entity')}
          placeholder={t('Entity (identifier)')}
          className={classes.filter ?? ''}
          defaultValue={entity === undefined ? '' : String(entity)}
          key={String(entity)}
          onBlur={({ currentTarget }) => setEntity(currentTarget.value.trim() || undefined)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && setEntity(currentTarget.value.trim() || undefined)}
        />
        {user && (
          <Switch
            label={t('Mine')}
            checked={mine === true}
            onChange={({ currentTarget }) => setMine(currentTarget.checked || undefined)}
          />
        )}
        {isFiltered && (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {t('Clear filters')}
          </Button>
        )}
      </Group>
      <Reading of={runs} skeleton={<TableSkeleton />}>
        {({ runs: rows }) => (
          <RunTable
            label={t('Runs')}
            columns={columns}
            rows={rows as readonly ListedRun[]}
            keyOf={({ id }) => id ?? ''}
            addressOf={({ id = '' }) => runAddress(id)}
            shown={shown}
            isLoadingMore={runs.isFetching}
            onClear={isFiltered ? clear : undefined}
          >
            <EmptyState
              title={t('Nothing has run yet')}
              action={
                <ButtonLink to="/self-service" size="xs">
                  {t('Run an action')}
                </ButtonLink>
              }
            />
          </RunTable>
        )}
      </Reading>
    </>
  );
}

const columns: readonly Column<ListedRun>[] = [
  {
    key: 'action',
    title: t('Action'),
    width: 220,
    cell: ({ id = '', action }) => (
      <Link {...runAddress(id)} className={classes.link} dir="auto">
        {thingTitle(action) ?? id}
      </Link>
    ),
  },
  {
    key: 'status',
    title: t('Status'),
    width: 170,
    cell: ({ status = '', statusLabel }) => <StatusBadge status={status} label={statusLabel} />,
  },
  {
    key: 'entity',
    title: t('Entity'),
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
  { key: 'by', title: t('By'), width: 180, cell: ({ createdBy }) => <span dir="auto">{createdBy}</span> },
  {
    key: 'source',
    title: t('Via'),
    width: 90,
    cell: ({ source }) => sources.find(({ value }) => value === source)?.label ?? source,
  },
  { key: 'started', title: t('Started'), width: 120, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    key: 'lasted',
    title: t('Took'),
    width: 90,
    cell: (run) =>
      isOver(run) && run.createdAt && run.endedAt ? duration(Date.parse(run.endedAt) - Date.parse(run.createdAt)) : '–',
  },
];
