import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Ban, CircleDot, type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { listDifferences } from '../../kit/differences.ts';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { AuditSentenceText, useAuditNames } from '../../parts/audit/audit-sentence.tsx';
import { type AuditNames, type AuditRecord, kindWords, originName } from '../../parts/audit/sentence.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './audit.module.css';
import { ExportAudit } from './export-audit.tsx';

type Kind = keyof typeof kindWords;
const kinds = (Object.keys(kindWords) as Kind[]).map((value) => ({ value, label: kindWords[value] }));
const changes = [
  { value: 'CREATE', label: t('Created') },
  { value: 'UPDATE', label: t('Changed') },
  { value: 'DELETE', label: t('Deleted') },
  { value: 'OTHER', label: t('Other') },
];
const outcomes = [
  { value: 'SUCCESS', label: t('Succeeded') },
  { value: 'FAILURE', label: t('Refused') },
];

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The beginning of a day where the reader is; nothing for an address with no date in it. */
function startOfDay(day: string): { readonly from?: string } {
  const at = new Date(`${day}T00:00`);
  return Number.isNaN(at.getTime()) ? {} : { from: at.toISOString() };
}

/** The audit log, newest first, with the state before and after each change. */
export function Screen() {
  const [kind, setKind] = useUrlState('/builder/audit', 'resource');
  const [action, setAction] = useUrlState('/builder/audit', 'action');
  const [status, setStatus] = useUrlState('/builder/audit', 'status');
  const [from, setFrom] = useUrlState('/builder/audit', 'from');
  const [actor, setActor] = useUrlState('/builder/audit', 'actor');
  const [who, setWho] = useUrlState('/builder/audit', 'who');
  const filters = useNamed();
  const names = useAuditNames();
  const isPeople = who !== 'all';
  const isFiltered = [kind, action, status, from, actor, filters.blueprint, filters.identifier].some((each) => each);
  const query = {
    ...(actor ? { actor } : {}),
    ...(actor || isPeople ? { actorKind: 'person' as const } : {}),
    ...(kind ? { resources: [kind] } : {}),
    ...(action ? { action } : {}),
    ...(status ? { status } : {}),
    ...(from ? startOfDay(from) : {}),
    ...(filters.blueprint ? { blueprint: filters.blueprint } : {}),
    ...(filters.identifier ? { identifier: filters.identifier } : {}),
  };
  const found = useInfiniteQuery({
    queryKey: ['getAuditLog', query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('getAuditLog', {
        query: { limit: 50, ...query, ...(pageParam ? { next: pageParam } : {}) },
        signal,
      }),
    getNextPageParam: (last) => last.next,
  });
  const audits = found.data?.pages.flatMap((page) => page.audits) ?? [];
  const clear = () => {
    for (const set of [setKind, setAction, setStatus, setFrom, setActor]) set(undefined);
    filters.clear();
  };
  return (
    <Stack gap="md">
      <PageHeader
        title={t('Audit log')}
        description={t('Every change, who made it and when. Times are in {zone}.', { zone })}
        actions={<ExportAudit query={query} names={names} />}
      />
      <Group gap="sm" align="flex-end" role="search">
        <PersonFilter value={actor} onChange={setActor} />
        <Filter label={t('Change')} data={changes} value={action} onChange={setAction} />
        <Filter label={t('What')} data={kinds} value={kind} onChange={setKind} />
        <Filter label={t('Outcome')} data={outcomes} value={status} onChange={setStatus} />
        <TextInput
          type="date"
          label={t('From')}
          value={from ?? ''}
          onChange={({ currentTarget }) => setFrom(currentTarget.value || undefined)}
        />
        <NamedFilters filters={filters} />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            {t('Clear filters')}
          </Button>
        )}
      </Group>
      <Switch
        label={t('Only people')}
        description={t('Off, it also shows what programs, automations and Portolan itself did.')}
        checked={isPeople || actor !== undefined}
        disabled={actor !== undefined}
        onChange={({ currentTarget }) => setWho(currentTarget.checked ? undefined : 'all')}
      />
      {found.isPending && <TableSkeleton />}
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && audits.length === 0 && isFiltered && (
        <NothingFits title={t('Nothing matches the filters')} onClear={clear}>
          {t('Widen them to see more.')}
        </NothingFits>
      )}
      {found.data && audits.length === 0 && !isFiltered && (
        <EmptyState
          title={t('Nothing was done yet')}
          action={isPeople && <Button onClick={() => setWho('all')}>{t('Show what programs did')}</Button>}
        >
          {t('Every change is written down here.')}
        </EmptyState>
      )}
      {audits.length > 0 && (
        <ul className={classes.list} aria-label={t('Records')}>
          {audits.map((audit) => (
            <li key={audit.identifier}>
              <Row audit={audit} names={names} />
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
          {t('Load more')}
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
          label={t('Blueprint')}
          value={shown.blueprint}
          onChange={({ currentTarget }) => setTyped({ ...shown, blueprint: currentTarget.value })}
        />
        <TextInput
          label={t('Identifier')}
          value={shown.identifier}
          onChange={({ currentTarget }) => setTyped({ ...shown, identifier: currentTarget.value })}
        />
        <Button type="submit" variant="default">
          {t('Filter')}
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
  data: readonly { readonly value: string; readonly label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <Select
      label={label}
      w={150}
      data={[{ value: '', label: t('Any') }, ...data]}
      value={value ?? ''}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen || undefined)}
    />
  );
}

/** People by name. Somebody who was removed is still found by address. */
function PersonFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const users = useRead('listUsers', { query: { fields: ['email', 'firstName', 'lastName'] } });
  const people = (users.data?.users ?? []).flatMap(({ email, firstName, lastName }) =>
    email ? [{ value: email, label: [firstName, lastName].filter(Boolean).join(' ') || email }] : [],
  );
  const isUnknown = value !== undefined && !people.some((each) => each.value === value);
  return (
    <Select
      label={t('Person')}
      placeholder={t('Anybody')}
      w={190}
      searchable
      clearable
      limit={100}
      data={isUnknown ? [{ value, label: value }, ...people] : people}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

const icons: Readonly<Record<string, LucideIcon>> = { CREATE: Plus, UPDATE: Pencil, DELETE: Trash2 };

function Row({ audit, names }: { audit: AuditRecord; names: AuditNames }) {
  const [isOpen, setOpen] = useState(false);
  const { action = '', status, trigger, message } = audit;
  const Icon = status === 'FAILURE' ? Ban : (icons[action] ?? CircleDot);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes.summary}>
        <Icon size={14} aria-hidden="true" className={classes.icon} />
        <AuditSentenceText record={audit} names={names} isPlain />
        {status === 'FAILURE' && <ColourBadge colour="red">{t('Refused')}</ColourBadge>}
        <span className={`${classes.muted} ${classes.end}`}>
          {`${originName(trigger?.origin)} · `}
          <RelativeTime at={trigger?.at} />
        </span>
      </summary>
      {isOpen && (
        <Stack gap="sm" className={classes.body ?? ''}>
          <AuditSentenceText record={audit} names={names} />
          {message && <Text>{message}</Text>}
          <Changes audit={audit} />
          <details>
            <summary className={classes.muted}>{t('The whole record')}</summary>
            <CodeEditor
              language="json"
              label={t('Record as JSON')}
              value={JSON.stringify(audit, null, 2)}
              maxHeight={360}
            />
          </details>
        </Stack>
      )}
    </details>
  );
}

/** Lines shown per record; longer changes are cut. */
const changesMax = 200;

function Changes({ audit: { diff } }: { audit: AuditRecord }) {
  const changes = listDifferences(diff?.before, diff?.after).slice(0, changesMax);
  if (changes.length === 0) return <Text c="dimmed">{t('The record holds no change of a value.')}</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section className={classes.scroll} aria-label={t('Changes')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            <th scope="col">{t('Before')}</th>
            <th scope="col">{t('After')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path}>
              <td>
                <code>{path || t('(all)')}</code>
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
