import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { AnchorLink } from '../../frame/links.tsx';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { planned } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
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
      title: t('Take back the invitation of {email}', { email }),
      consequence: t('Links stop working at once. A user whom the invitation created is removed.'),
      verb: t('Take back'),
      done: ({ removed }) =>
        removed
          ? t('{email} is not invited any more', { email })
          : t('{email} is not invited any more, and stays in the catalog', { email }),
    });
  const columns: readonly Column<Invitation>[] = [
    {
      key: 'email',
      title: t('Person'),
      width: 210,
      cell: ({ email }) => (
        <AnchorLink {...entityAddress('_user', email)} title={email}>
          {email}
        </AnchorLink>
      ),
    },
    {
      key: 'roles',
      title: t('Role'),
      width: 100,
      cell: ({ email }) => <Roles user={users.find((user) => user.email === email)} />,
    },
    {
      key: 'by',
      title: t('Invited by'),
      width: 170,
      cell: ({ invitedBy }) => <span title={invitedBy?.id}>{invitedBy?.name ?? invitedBy?.id ?? '–'}</span>,
    },
    { key: 'at', title: t('When'), width: 120, cell: ({ invitedAt }) => <RelativeTime at={invitedAt} /> },
    {
      key: 'until',
      title: t('Link works until'),
      width: 180,
      cell: ({ expiresAt }) =>
        expiresAt ? (
          planned(new Date(expiresAt))
        ) : (
          <Text span c="var(--danger)">
            {t('No link works')}
          </Text>
        ),
    },
    { key: 'mail', title: 'E-mail', width: 140, cell: ({ mail }) => <MailState mail={mail} /> },
    {
      key: 'actions',
      title: t('Change'),
      width: 200,
      cell: ({ email, invitedBy }) => (
        <Group gap={4} wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setRenewed(email)}
            aria-label={t('New link for {email}', { email })}
          >
            {t('New link')}
          </Button>
          {invitedBy && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={() => void ask(email)}
              aria-label={t('Take back the invitation of {email}', { email })}
            >
              {t('Take back')}
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={t('Invited people')}
        columns={columns}
        rows={rows}
        keyOf={({ email }) => email}
        total={{ count: rows.length, isExact: true }}
        empty={
          word && invitations.length > 0 ? (
            <EmptyState title={t('Nobody matches')}>
              {t('The search looks at addresses and at who invited them.')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('No open invitations')}
              action={<Button onClick={onInvite}>{t('Invite people')}</Button>}
            >
              {t('People whom you invite are listed here until they sign in.')}
            </EmptyState>
          )
        }
      />
      {renewed !== undefined && <InviteAgain email={renewed} canMail={canMail} onClose={() => setRenewed(undefined)} />}
    </>
  );
}

function MailState({ mail: { state, at, problem } }: Pick<Invitation, 'mail'>) {
  if (state === 'none') return <Text c="dimmed">{t('Not sent')}</Text>;
  if (state === 'sent') {
    return (
      <span>
        <Sentence text="Sent <time/>" parts={{ time: <RelativeTime at={at} /> }} />
      </span>
    );
  }
  const text =
    state === 'failed'
      ? t('Failed: {problem}', { problem })
      : problem
        ? t('Retrying: {problem}', { problem })
        : t('On its way');
  return (
    <Text span truncate title={text} {...(state === 'failed' ? { c: 'var(--danger)' } : {})}>
      {text}
    </Text>
  );
}
