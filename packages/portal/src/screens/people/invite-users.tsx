import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormBody, useSentForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';
import { InvitationLinks, type MadeInvitation } from './invitation-links.tsx';
import { doubtfulAddresses, pastedAddresses } from './people-filter.ts';
import { RolesAndTeams } from './role-and-teams.tsx';

interface Refusal {
  readonly email: string;
  readonly message: string;
}

/** Invites one or many people, and shows their links once; refused addresses stay in the field with the reason. */
export function InviteUsers({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<readonly MadeInvitation[]>([]);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [isAsking, setAsking] = useState(true);
  const { data: known } = useRead('listInvitations');
  const canMail = known?.canMail ?? false;
  const form = useSentForm({
    initial: { text: '', roles: ['Member'], teams: [] as string[], mail: true },
    send: async ({ text, roles, teams, mail }) => {
      const invitations: MadeInvitation[] = [];
      const refusals: Refusal[] = [];
      for (const email of pastedAddresses(text)) {
        try {
          invitations.push(await call('createInvitation', { body: { email, roles, teams, mail: mail && canMail } }));
        } catch (error) {
          refusals.push({ email, message: (error as Error).message });
        }
      }
      return { invitations, refusals };
    },
    staleAfter: ['listUsers', 'listTeams', 'listInvitations'],
    onSaved: ({ invitations, refusals }) => {
      setMade([...made, ...invitations]);
      setRefused(refusals);
      form.set({ text: refusals.map(({ email }) => email).join('\n') });
      setAsking(invitations.length === 0);
    },
  });
  const hasLinks = made.length > 0;
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={
        isAsking
          ? t('Invite people')
          : made.length === 1
            ? t('Invited {email}', { email: made[0]?.invitation.email })
            : t('Invited {count} people', { count: made.length })
      }
      // links are shown only once: a stray click or key must not close the dialog
      closeOnClickOutside={!hasLinks}
      closeOnEscape={!hasLinks}
    >
      <Stack>
        {refused.length > 0 && <Refusals refused={refused} />}
        {isAsking ? (
          <InvitationForm form={form} canMail={canMail} onClose={onClose} />
        ) : (
          <>
            <InvitationLinks made={made} />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsking(true)}>
                {refused.length > 0 ? t('Correct the others') : t('Invite more')}
              </Button>
              <Button onClick={onClose} data-autofocus>
                {t('Done')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}

function InvitationForm({
  form,
  canMail,
  onClose,
}: {
  form: ReturnType<typeof useSentForm<{ text: string; roles: string[]; teams: string[]; mail: boolean }, unknown>>;
  canMail: boolean;
  onClose: () => void;
}) {
  const { data } = useRead('listUsers');
  const addresses = pastedAddresses(form.values.text);
  const { malformed, known } = doubtfulAddresses(addresses, data?.users ?? []);
  const problems = [
    ...malformed.map((each) => t('"{each}" is no e-mail address.', { each })),
    ...known.map((each) => t('{each} is a user already.', { each })),
  ];
  return (
    <FormBody
      form={form}
      verb={addresses.length > 1 ? t('Invite {count} people', { count: addresses.length }) : t('Invite')}
      refused={t('Nobody was invited')}
      isReady={addresses.length > 0 && problems.length === 0 && form.values.roles.length > 0}
      onClose={onClose}
    >
      <Textarea
        label={t('E-mail addresses')}
        description={t('One or more, separated by commas, blanks or new lines')}
        placeholder="ana@example.com, nora@example.com"
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
        {...form.field('text')}
        error={problems.length > 0 ? problems.join(' ') : form.field('text')['error']}
      />
      <RolesAndTeams roles={form.field('roles')} teams={form.field('teams')} />
      {canMail ? (
        <Checkbox
          label={t('Send an invitation by e-mail')}
          description={t('You get a link to pass on either way')}
          {...form.box('mail')}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('No mail server is set up, so nobody is told by e-mail. You get a link for each person to pass on.')}
        </Text>
      )}
    </FormBody>
  );
}

function Refusals({ refused }: { refused: readonly Refusal[] }) {
  return (
    <Alert color="red" role="alert" title={t('These people were not invited')}>
      <ul style={{ margin: 0 }}>
        {refused.map(({ email, message }) => (
          <li key={email}>
            {email}: {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
