import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { AuditResource } from '@portolan/contract/audit';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { listDifferences } from '../../kit/differences.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../kit/states.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './audit.module.css';

type Audit = AnswerOf<'getAuditLog'>['audits'][number];

/**
 * A record, so that a new resource type in the contract is a type error here. The contract's runtime values stay out of
 * the browser bundle.
 */
const isKind: Readonly<Record<AuditResource, true>> = {
  blueprint: true,
  entity: true,
  run: true,
  webhook: true,
  scorecard: true,
  action: true,
  integration: true,
  organization: true,
  credential: true,
  page: true,
  secret: true,
  token: true,
  user: true,
  team: true,
  session: true,
  'sso-connection': true,
  migration: true,
  'mcp-server': true,
  'llm-provider': true,
};
const kinds = Object.keys(isKind);

/** The audit log, newest first, with the state before and after each change. */
export function Screen() {
  const [kind, setKind] = useUrlState('/builder/audit', 'resource');
  const [action, setAction] = useUrlState('/builder/audit', 'action');
  const [status, setStatus] = useUrlState('/builder/audit', 'status');
  const [from, setFrom] = useUrlState('/builder/audit', 'from');
  const filters = useNamed();
  const isFiltered = [kind, action, status, from, filters.blueprint, filters.identifier].some((each) => each);
  const query = {
    limit: 50,
    ...(kind ? { resources: [kind] } : {}),
    ...(action ? { action } : {}),
    ...(status ? { status } : {}),
    ...(from ? { from: `${from}T00:00:00Z` } : {}),
    ...(filters.blueprint ? { blueprint: filters.blueprint } : {}),
    ...(filters.identifier ? { identifier: filters.identifier } : {}),
  };
  const found = useInfiniteQuery({
    queryKey: ['getAuditLog', query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('getAuditLog', {
        query: { ...query, ...(pageParam ? { next: pageParam } : {}) },
        signal,
      }),
    getNextPageParam: (last) => last.next,
  });
  const audits = found.data?.pages.flatMap((page) => page.audits) ?? [];
  const clear = () => {
    for (const set of [setKind, setAction, setStatus, setFrom]) set(undefined);
    filters.clear();
  };
  return (
    <Stack gap="md">
      <PageHeader
        title="Audit log"
        description="Who did what to which thing. Times are yours; the filter by day is UTC."
      />
      <Group gap="sm" align="flex-end" role="search">
        <Filter label="Kind" data={kinds} value={kind} onChange={setKind} />
        <Filter label="Verb" data={['CREATE', 'UPDATE', 'DELETE', 'OTHER']} value={action} onChange={setAction} />
        <Filter label="Result" data={['SUCCESS', 'FAILURE']} value={status} onChange={setStatus} />
        <TextInput
          type="date"
          label="Since"
          value={from ?? ''}
          onChange={({ currentTarget }) => setFrom(currentTarget.value || undefined)}
        />
        <NamedFilters filters={filters} />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
      {found.isPending && <TableSkeleton />}
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && audits.length === 0 && (
        <EmptyState
          title={isFiltered ? 'Nothing matches the filters' : 'Nothing was done yet'}
          action={isFiltered && <Button onClick={clear}>Clear filters</Button>}
        >
          {isFiltered ? 'Widen them to see more.' : 'Every change is written down here.'}
        </EmptyState>
      )}
      {audits.length > 0 && (
        <ul className={classes.list} aria-label="Records">
          {audits.map((audit) => (
            <li key={audit.identifier}>
              <Row audit={audit} />
            </li>
          ))}
        </ul>
      )}
      {found.hasNextPage && (
        <Button
          variant="default"
          w="fit-content"
          onClick={() => void found.fetchNextPage()}
          loading={found.isFetchingNextPage}
        >
          Load more
        </Button>
      )}
    </Stack>
  );
}

/** Text filters, applied on Enter. */
function useNamed() {
  const [blueprint, setBlueprint] = useUrlState('/builder/audit', 'blueprint');
  const [identifier, setIdentifier] = useUrlState('/builder/audit', 'identifier');
  return {
    blueprint,
    identifier,
    set: (next: { blueprint: string; identifier: string }) => {
      setBlueprint(next.blueprint || undefined);
      setIdentifier(next.identifier || undefined);
    },
    clear: () => {
      setBlueprint(undefined);
      setIdentifier(undefined);
    },
  };
}

function NamedFilters({ filters }: { filters: ReturnType<typeof useNamed> }) {
  const [typed, setTyped] = useState<{ blueprint: string; identifier: string }>();
  const shown = typed ?? { blueprint: filters.blueprint ?? '', identifier: filters.identifier ?? '' };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    filters.set({ blueprint: shown.blueprint.trim(), identifier: shown.identifier.trim() });
    setTyped(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Blueprint"
          value={shown.blueprint}
          onChange={({ currentTarget }) => setTyped({ ...shown, blueprint: currentTarget.value })}
        />
        <TextInput
          label="Identifier"
          value={shown.identifier}
          onChange={({ currentTarget }) => setTyped({ ...shown, identifier: currentTarget.value })}
        />
        <Button type="submit" variant="default">
          Filter
        </Button>
      </Group>
    </form>
  );
}

function Filter({
  label,
  data,
  value,
  onChange,
}: {
  label: string;
  data: string[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <Select
      label={label}
      w={150}
      data={[{ value: '', label: 'Any' }, ...data]}
      value={value ?? ''}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen || undefined)}
    />
  );
}

const colours: Readonly<Record<string, string>> = { CREATE: 'green', UPDATE: 'blue', DELETE: 'red' };

function Row({ audit }: { audit: Audit }) {
  const [isOpen, setOpen] = useState(false);
  const { action = '', resourceType, status, trigger, context = {}, message } = audit;
  const what = Object.values(context).join(' / ');
  const by = trigger?.by.user?.email ?? (trigger?.by.byPort ? 'the platform' : (trigger?.by.userId ?? 'unknown'));
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes.summary}>
        <ColourBadge colour={colours[action]}>{action}</ColourBadge>
        <strong>{resourceType}</strong>
        <span dir="auto">{what}</span>
        {status === 'FAILURE' && <ColourBadge colour="red">Failed</ColourBadge>}
        <span className={`${classes.muted} ${classes.end}`}>
          {`${by} · ${trigger?.origin ?? ''} · `}
          <RelativeTime at={trigger?.at} />
        </span>
      </summary>
      {isOpen && (
        <Stack gap="sm" className={classes.body ?? ''}>
          {message && <Text>{message}</Text>}
          <Changes audit={audit} />
          <details>
            <summary className={classes.muted}>The whole record</summary>
            <CodeEditor language="json" label="Record as JSON" value={JSON.stringify(audit, null, 2)} maxHeight={360} />
          </details>
        </Stack>
      )}
    </details>
  );
}

/** Lines shown per record; longer changes are cut. */
const changesMax = 200;

function Changes({ audit: { diff } }: { audit: Audit }) {
  const changes = listDifferences(diff?.before, diff?.after).slice(0, changesMax);
  if (changes.length === 0) return <Text c="dimmed">The record holds no change of a value.</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section className={classes.scroll} aria-label="Changes" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path}>
              <td>
                <code>{path || 'all'}</code>
              </td>
              <td>{before === undefined ? '–' : <del>{shown(before)}</del>}</td>
              <td>{after === undefined ? '–' : <ins>{shown(after)}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const shownMost = 500;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > shownMost ? `${text.slice(0, shownMost)}…` : text;
}
