import { Button, Group, Stack, TextInput } from '@mantine/core';
import { Search, UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { AnchorLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Needs, NeedsOperation } from '../../parts/access/needs.tsx';
import { useMay, useMayAdminister } from '../../parts/access/permit.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { useTeams } from '../../parts/entities/team-form.ts';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { EditUser } from './edit-user.tsx';
import { InviteUsers } from './invite-users.tsx';
import { InvitedTable } from './invited-table.tsx';
import { NewServiceAccount } from './new-service-account.tsx';
import { displayName, filteredUsers, type KnownUser } from './people-filter.ts';
import { Roles } from './roles.tsx';
import { RotateCredentials } from './rotate-credentials.tsx';

const statusColours: Readonly<Record<string, string>> = {
  Active: 'green',
  Invited: 'gold',
  Staged: 'lightGray',
  Disabled: 'red',
};

const mailMs = 5_000;

/** Users with roles and teams, and service accounts. */
export function Screen() {
  const reading = useRead('listUsers');
  const [sought = '', setSought] = useUrlState('/builder/users', 'search');
  const [type = 'Standard', setType] = useUrlState('/builder/users', 'type');
  const [isAsked, setAsked] = useUrlState('/builder/users', 'invite');
  const open = () => setAsked(true);
  const close = () => setAsked(undefined);
  const { areEntities } = useTeams();
  const isMachine = type === 'Service Account';
  const mayInvite = useMay('createInvitation');
  const mayMake = useMay('inviteUser');
  // the address may ask for what somebody may not do
  const isInviting = isAsked === true && (isMachine ? mayMake : mayInvite).isAllowed;
  const invited = useRead('listInvitations', undefined, {
    isOn: mayInvite.isAllowed || type === 'Invited',
    // what became of an e-mail is in no event
    ...(type === 'Invited' ? { everyMs: mailMs } : {}),
  });
  const invitations = invited.data?.invitations ?? [];
  useCommands(
    mayInvite.isAllowed
      ? [{ id: 'users.invite', label: isMachine ? t('New service account') : t('Invite people'), keys: 'i', run: open }]
      : [],
  );
  return (
    <Stack gap="md">
      <PageHeader
        title={t('Users')}
        description={t('People and programs that can sign in, their roles and teams.')}
        actions={
          isMachine ? (
            <NeedsOperation operation="inviteUser" to={t('create service accounts')}>
              <Button
                leftSection={<UserPlus size={16} aria-hidden="true" />}
                onClick={open}
                disabled={areEntities === false}
                title={
                  areEntities === false ? t('Service accounts come with the migration of users and teams') : undefined
                }
              >
                {t('New service account')}
              </Button>
            </NeedsOperation>
          ) : (
            <NeedsOperation operation="createInvitation" to={t('invite people')}>
              <Button leftSection={<UserPlus size={16} aria-hidden="true" />} onClick={open}>
                {t('Invite')}
              </Button>
            </NeedsOperation>
          )
        }
      />
      <Group gap="sm">
        <TextInput
          aria-label={t('Search users')}
          placeholder={t('Search')}
          leftSection={<Search size={16} aria-hidden="true" />}
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value || undefined)}
        />
        <SegmentedControl
          aria-label={t('Kind of account')}
          value={type}
          onChange={(value) => setType(value === 'Standard' ? undefined : value)}
          data={[
            { value: 'Standard', label: t('People') },
            {
              value: 'Invited',
              label: invitations.length > 0 ? t('Invited ({count})', { count: invitations.length }) : t('Invited'),
            },
            { value: 'Service Account', label: t('Service accounts') },
          ]}
        />
      </Group>
      <Reading of={reading} skeleton={<TableSkeleton />}>
        {({ users }) =>
          type === 'Invited' ? (
            <Reading of={invited} skeleton={<TableSkeleton />}>
              {(list) => <InvitedTable {...list} users={users} sought={sought} onInvite={open} />}
            </Reading>
          ) : (
            <UserTable users={users} sought={sought} type={type} onClear={() => setSought(undefined)} />
          )
        }
      </Reading>
      {isInviting && (isMachine ? <NewServiceAccount onClose={close} /> : <InviteUsers onClose={close} />)}
    </Stack>
  );
}

function UserTable({
  users,
  sought,
  type,
  onClear,
}: {
  users: readonly KnownUser[];
  sought: string;
  type: string;
  onClear: () => void;
}) {
  const [edited, setEdited] = useState<KnownUser>();
  const [rotated, setRotated] = useState<string>();
  const remove = useDelete('deleteUser', { staleAfter: ['listUsers', 'listTeams', 'listInvitations'] });
  const rows = useMemo(() => filteredUsers(users, sought, type), [users, sought, type]);
  const isMachine = type === 'Service Account';
  const mayAdminister = useMayAdminister();
  const ask = (email: string) =>
    remove.ask({
      input: { params: { user_email: email } },
      name: email,
      consequence: t('Sessions and tokens end within a second, and the entity goes. This cannot be undone.'),
      verb: t('Remove'),
      past: 'removed',
    });
  const columns: readonly Column<KnownUser>[] = [
    {
      key: 'name',
      title: t('Name'),
      width: 190,
      cell: (user) => (
        <AnchorLink {...entityAddress('_user', user.email ?? '')} title={user.email ?? ''}>
          {displayName(user)}
        </AnchorLink>
      ),
    },
    { key: 'email', title: t('Address'), width: 220, cell: ({ email }) => email },
    {
      key: 'roles',
      title: t('Roles'),
      width: 130,
      cell: (user) => <Roles user={user} />,
    },
    { key: 'teams', title: t('Teams'), width: 180, cell: ({ teams }) => teams?.join(', ') || '–' },
    {
      key: 'status',
      title: t('Status'),
      width: 110,
      cell: ({ status = '' }) => <ColourBadge colour={statusColours[status]}>{status}</ColourBadge>,
    },
    {
      key: 'seen',
      title: t('Last sign-in'),
      width: 120,
      cell: ({ orgMembers }) => {
        const at = orgMembers?.[0]?.lastLoginAt;
        return at ? <RelativeTime at={at} /> : 'never';
      },
    },
    {
      key: 'actions',
      title: t('Change'),
      width: isMachine ? 320 : 160,
      cell: (user) => (
        <Group gap={4} wrap="nowrap">
          <NeedsOperation operation="patchUser" to={t('change {user}', { user: displayName(user) })}>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setEdited(user)}
              aria-label={t('Edit {user}', { user: displayName(user) })}
            >
              {t('Edit')}
            </Button>
          </NeedsOperation>
          {isMachine && (
            <Needs permit={mayAdminister} to={t('make new credentials for {user}', { user: displayName(user) })}>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => setRotated(user.email)}
                aria-label={t('New credentials for {user}', { user: displayName(user) })}
              >
                {t('New credentials')}
              </Button>
            </Needs>
          )}
          <NeedsOperation operation="deleteUser" to={t('remove {user}', { user: displayName(user) })}>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={() => void ask(user.email ?? '')}
              aria-label={t('Remove {user}', { user: displayName(user) })}
            >
              {t('Remove')}
            </Button>
          </NeedsOperation>
        </Group>
      ),
    },
  ];
  const empty = sought ? (
    <EmptyState title={t('Nobody matches')} action={<Button onClick={onClear}>{t('Clear the search')}</Button>}>
      {t('The search looks at names, addresses, roles and teams.')}
    </EmptyState>
  ) : isMachine ? (
    <EmptyState title={t('There is no service account')}>
      {t('Make one for a program that calls the API. Its credentials are shown once.')}
    </EmptyState>
  ) : (
    <EmptyState title={t('Nobody is here yet')}>{t('Invite the first people.')}</EmptyState>
  );
  return (
    <>
      <DataTable
        label={isMachine ? t('Service accounts') : t('Users')}
        columns={columns}
        rows={rows}
        keyOf={({ email }) => email ?? ''}
        total={{ count: rows.length, isExact: true }}
        empty={empty}
      />
      {edited && <EditUser user={edited} onClose={() => setEdited(undefined)} />}
      {rotated !== undefined && <RotateCredentials email={rotated} onClose={() => setRotated(undefined)} />}
    </>
  );
}
