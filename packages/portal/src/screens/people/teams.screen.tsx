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
        title="Teams"
        description="Teams own things. Ownership and permissions hold the identifier, so a new name changes neither."
        actions={
          <NeedsOperation operation="createTeam" to="create teams">
            <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
              New team
            </Button>
          </NeedsOperation>
        }
      />
      <TextInput
        maw={260}
        aria-label="Search teams"
        placeholder="Search"
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
      title: `Delete the team ${name}`,
      consequence: `Its ${users?.length ?? 0} members leave the team. Entities lose it as an owner, and permissions no longer name it. This cannot be undone.`,
      button: 'Delete team',
      typed: name,
      done: ({ removedReferences: gone }) =>
        `${name} was deleted: ${gone.ownedEntities} entities lost an owner, ${gone.members} people left, ${gone.blueprintPermissions} permissions changed`,
    });
  const columns: readonly Column<KnownTeam>[] = [
    {
      key: 'name',
      title: 'Name',
      width: 220,
      cell: ({ name, identifier }) => <AnchorLink {...entityAddress('_team', identifier ?? '')}>{name}</AnchorLink>,
    },
    { key: 'identifier', title: 'Identifier', width: 180, cell: ({ identifier }) => <code>{identifier}</code> },
    {
      key: 'members',
      title: 'Members',
      width: 320,
      cell: ({ users }) =>
        users && users.length > 0 ? `${users.length}: ${users.map(({ email }) => email).join(', ')}` : 'nobody',
    },
    { key: 'description', title: 'Description', width: 220, cell: ({ description }) => description ?? '–' },
    {
      key: 'provider',
      title: 'From',
      width: 100,
      cell: ({ provider }) => (provider === 'port' || !provider ? 'here' : provider),
    },
    {
      key: 'actions',
      title: 'Change',
      width: 180,
      cell: (team) => (
        <Group gap={4} wrap="nowrap">
          <NeedsOperation operation="patchTeam" to={`change the team ${team.name}`}>
            <Button size="compact-sm" variant="default" onClick={() => onEdit(team)} aria-label={`Edit ${team.name}`}>
              Edit
            </Button>
          </NeedsOperation>
          <NeedsOperation operation="deleteTeam" to={`delete the team ${team.name}`}>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={() => void ask(team)}
              aria-label={`Delete ${team.name}`}
            >
              Delete
            </Button>
          </NeedsOperation>
        </Group>
      ),
    },
  ];
  return (
    <DataTable
      label="Teams"
      columns={columns}
      rows={rows}
      keyOf={({ identifier, name }) => identifier ?? name ?? ''}
      total={{ count: rows.length, isExact: true }}
      empty={
        <EmptyState title={sought ? 'No team matches' : 'There is no team yet'}>
          {sought ? 'The search looks at names and identifiers.' : 'Make the first one, and give it things to own.'}
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
    done: ({ name }) => `${name} was saved`,
    onSaved: onClose,
  });
  return (
    <DialogForm
      form={form}
      title={team ? `Edit ${team.name}` : 'New team'}
      verb={team ? 'Save' : 'Create team'}
      isReady={form.values.name.trim() !== ''}
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus {...form.field('name')} />
      <TagsInput label="Members" data={addresses(people.data?.users)} {...form.field('users')} />
      <Textarea label="Description" autosize minRows={2} {...form.field('description')} />
    </DialogForm>
  );
}
