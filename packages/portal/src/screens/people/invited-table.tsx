import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { AnchorLink } from '../../frame/links.tsx';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { planned } from '../../kit/time.ts';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import { InviteAgain } from './invite-again.tsx';
import type { KnownUser } from './people-filter.ts';
import { Roles } from './roles.tsx';

type Invitation = AnswerOf<'listInvitations'>['invitations'][number];

/** People who were invited and have not signed in. */
export function InvitedTable({
  invitations,
  users,
  canMail,
  sought,
  onInvite,
}: {
  invitations: readonly Invitation[];
  users: readonly KnownUser[];
  canMail: boolean;
  sought: string;
  onInvite: () => void;
}) {
  const [renewed, setRenewed] = useState<string>();
  const revoke = useDelete('revokeInvitation', { staleAfter: ['listUsers', 'listTeams', 'listInvitations'] });
  const word = sought.trim().toLowerCase();
  const rows = invitations.filter(({ email, invitedBy }) =>
    [email, invitedBy?.id, invitedBy?.name].some((text) => text?.toLowerCase().includes(word)),
  );
  const ask = (email: string) =>
    revoke.ask({
      input: { params: { user_email: email } },
      name: email,
      title: `Take back the invitation of ${email}`,
      consequence: 'Links stop working at once. A user whom the invitation created is removed.',
      verb: 'Take back',
      done: ({ removed }) =>
        removed ? `${email} is not invited any more` : `${email} is not invited any more, and stays in the catalog`,
    });
  const columns: readonly Column<Invitation>[] = [
    {
      key: 'email',
      title: 'Person',
      width: 210,
      cell: ({ email }) => (
        <AnchorLink {...entityAddress('_user', email)} title={email}>
          {email}
        </AnchorLink>
      ),
    },
    {
      key: 'roles',
      title: 'Role',
      width: 100,
      cell: ({ email }) => <Roles user={users.find((user) => user.email === email)} />,
    },
    {
      key: 'by',
      title: 'Invited by',
      width: 170,
      cell: ({ invitedBy }) => <span title={invitedBy?.id}>{invitedBy?.name ?? invitedBy?.id ?? '–'}</span>,
    },
    { key: 'at', title: 'When', width: 120, cell: ({ invitedAt }) => <RelativeTime at={invitedAt} /> },
    {
      key: 'until',
      title: 'Link works until',
      width: 180,
      cell: ({ expiresAt }) =>
        expiresAt ? (
          planned(new Date(expiresAt))
        ) : (
          <Text span c="var(--danger)">
            No link works
          </Text>
        ),
    },
    { key: 'mail', title: 'E-mail', width: 140, cell: ({ mail }) => <MailState mail={mail} /> },
    {
      key: 'actions',
      title: 'Change',
      width: 200,
      cell: ({ email, invitedBy }) => (
        <Group gap={4} wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setRenewed(email)}
            aria-label={`New link for ${email}`}
          >
            New link
          </Button>
          {invitedBy && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={() => void ask(email)}
              aria-label={`Take back the invitation of ${email}`}
            >
              Take back
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Invited people"
        columns={columns}
        rows={rows}
        keyOf={({ email }) => email}
        total={{ count: rows.length, isExact: true }}
        empty={
          word && invitations.length > 0 ? (
            <EmptyState title="Nobody matches">The search looks at addresses and at who invited them.</EmptyState>
          ) : (
            <EmptyState title="No open invitations" action={<Button onClick={onInvite}>Invite people</Button>}>
              People whom you invite are listed here until they sign in.
            </EmptyState>
          )
        }
      />
      {renewed !== undefined && <InviteAgain email={renewed} canMail={canMail} onClose={() => setRenewed(undefined)} />}
    </>
  );
}

function MailState({ mail: { state, at, problem } }: Pick<Invitation, 'mail'>) {
  if (state === 'none') return <Text c="dimmed">Not sent</Text>;
  if (state === 'sent') {
    return (
      <span>
        Sent <RelativeTime at={at} />
      </span>
    );
  }
  const text = state === 'failed' ? `Failed: ${problem}` : problem ? `Retrying: ${problem}` : 'On its way';
  return (
    <Text span truncate title={text} {...(state === 'failed' ? { c: 'var(--danger)' } : {})}>
      {text}
    </Text>
  );
}
