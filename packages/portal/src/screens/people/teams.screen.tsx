import { Button, Group, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { Plus, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { useDelete } from '../../kit/delete.ts';
import { DialogForm, useContractForm } from '../../kit/form.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { KnownTeam } from './people-filter.ts';

/** Teams and their members. */
export function Screen() {
  const reading = useRead('listTeams');
  const [sought = '', setSought] = useUrlState('/builder/teams', 'search');
  const [edited, setEdited] = useState<KnownTeam | null>();
  return (
    <Stack gap="md">
      <PageHeader
        title={t('Teams')}
        description={t(
          'Teams own things. Ownership and permissions hold the identifier, so a new name changes neither.',
        )}
        actions={
          <NeedsOperation operation="createTeam" to={t('create teams')}>
            <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
              {t('New team')}
            </Button>
          </NeedsOperation>
        }
      />
      <TextInput
        maw={260}
        aria-label={t('Search teams')}
        placeholder={t('Search')}
        leftSection={<Search size={16} aria-hidden="true" />}
        value={sought}
        onChange={({ currentTarget }) => setSought(currentTarget.value || undefined)}
      />
      <Reading of={reading} skeleton={<TableSkeleton />}>
        {({ teams }) => <TeamTable teams={teams} sought={sought} onEdit={setEdited} />}
      </Reading>
      {edited !== undefined && <TeamForm team={edited ?? undefined} onClose={() => setEdited(undefined)} />}
    </Stack>
  );
}

function TeamTable({
  teams,
  sought,
  onEdit,
}: {
  teams: readonly KnownTeam[];
  sought: string;
  onEdit: (team: KnownTeam) => void;
}) {
  const remove = useDelete('deleteTeam', { staleAfter: ['listTeams', 'listUsers', 'getBlueprintPermissions'] });
  const rows = useMemo(
    () =>
      teams
        .filter(({ name, identifier }) => `${name} ${identifier}`.toLowerCase().includes(sought.toLowerCase()))
        .toSorted((left, right) => (left.name ?? '').localeCompare(right.name ?? '')),
    [teams, sought],
  );
  const ask = ({ name = '', users }: KnownTeam) =>
    remove.ask({
      input: { params: { team_name: name } },
      name,
      title: t('Delete the team {name}', { name }),
      consequence: t(
        'Its {count} members leave the team. Entities lose it as an owner, and permissions no longer name it. This cannot be undone.',
        { count: users?.length ?? 0 },
      ),
      button: t('Delete team'),
      typed: name,
      done: ({ removedReferences: gone }) =>
        t(
          '{name} was deleted: {ownedEntities} entities lost an owner, {members} people left, {blueprintPermissions} permissions changed',
          {
            name,
            ownedEntities: gone.ownedEntities,
            members: gone.members,
            blueprintPermissions: gone.blueprintPermissions,
          },
        ),
    });
  const columns: readonly Column<KnownTeam>[] = [
    {
      key: 'name',
      title: t('Name'),
      width: 220,
      cell: ({ name, identifier }) => <AnchorLink {...entityAddress('_team', identifier ?? '')}>{name}</AnchorLink>,
    },
    { key: 'identifier', title: t('Identifier'), width: 180, cell: ({ identifier }) => <code>{identifier}</code> },
    {
      key: 'members',
      title: t('Members'),
      width: 320,
      cell: ({ users }) =>
        users && users.length > 0 ? `${users.length}: ${users.map(({ email }) => email).join(', ')}` : 'nobody',
    },
    { key: 'description', title: t('Description'), width: 220, cell: ({ description }) => description ?? '–' },
    {
      key: 'provider',
      title: t('From'),
      width: 100,
      cell: ({ provider }) => (provider === 'port' || !provider ? 'here' : provider),
    },
    {
      key: 'actions',
      title: t('Change'),
      width: 180,
      cell: (team) => (
        <Group gap={4} wrap="nowrap">
          <NeedsOperation operation="patchTeam" to={t('change the team {name}', { name: team.name })}>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onEdit(team)}
              aria-label={t('Edit {name}', { name: team.name })}
            >
              {t('Edit')}
            </Button>
          </NeedsOperation>
          <NeedsOperation operation="deleteTeam" to={t('delete the team {name}', { name: team.name })}>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={() => void ask(team)}
              aria-label={t('Delete {name}', { name: team.name })}
            >
              {t('Delete')}
            </Button>
          </NeedsOperation>
        </Group>
      ),
    },
  ];
  return (
    <DataTable
      label={t('Teams')}
      columns={columns}
      rows={rows}
      keyOf={({ identifier, name }) => identifier ?? name ?? ''}
      total={{ count: rows.length, isExact: true }}
      empty={
        <EmptyState title={sought ? t('No team matches') : t('There is no team yet')}>
          {sought
            ? t('The search looks at names and identifiers.')
            : t('Make the first one, and give it things to own.')}
        </EmptyState>
      }
    />
  );
}

function TeamForm({ team, onClose }: { team: KnownTeam | undefined; onClose: () => void }) {
  const people = useRead('listUsers');
  const addresses = (users: KnownTeam['users'] = []) => users.flatMap(({ email }) => (email ? [email] : []));
  const form = useContractForm(team ? 'patchTeam' : 'createTeam', {
    initial: { name: team?.name ?? '', users: addresses(team?.users), description: team?.description ?? '' },
    input: ({ name, users, description }) => ({
      ...(team ? { params: { team_name: team.name ?? '' } } : {}),
      body: { name: name.trim(), users, description: description.trim() || null },
    }),
    staleAfter: ['listTeams', 'listUsers'],
    done: ({ name }) => t('{name} was saved', { name }),
    onSaved: onClose,
  });
  return (
    <DialogForm
      form={form}
      title={team ? t('Edit {name}', { name: team.name }) : t('New team')}
      verb={team ? t('Save') : t('Create team')}
      isReady={form.values.name.trim() !== ''}
      onClose={onClose}
    >
      <TextInput label={t('Name')} data-autofocus {...form.field('name')} />
      <TagsInput label={t('Members')} data={addresses(people.data?.users)} {...form.field('users')} />
      <Textarea label={t('Description')} autosize minRows={2} {...form.field('description')} />
    </DialogForm>
  );
}
