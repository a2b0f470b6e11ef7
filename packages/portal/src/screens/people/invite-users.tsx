import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormBody, useSentForm } from '../../kit/form.tsx';
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
          ? 'Invite people'
          : made.length === 1
            ? `Invited ${made[0]?.invitation.email}`
            : `Invited ${made.length} people`
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
                {refused.length > 0 ? 'Correct the others' : 'Invite more'}
              </Button>
              <Button onClick={onClose} data-autofocus>
                Done
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
    ...malformed.map((each) => `"${each}" is no e-mail address.`),
    ...known.map((each) => `${each} is a user already.`),
  ];
  return (
    <FormBody
      form={form}
      verb={addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
      refused="Nobody was invited"
      isReady={addresses.length > 0 && problems.length === 0 && form.values.roles.length > 0}
      onClose={onClose}
    >
      <Textarea
        label="E-mail addresses"
        description="One or more, separated by commas, blanks or new lines"
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
          label="Send an invitation by e-mail"
          description="You get a link to pass on either way"
          {...form.box('mail')}
        />
      ) : (
        <Text size="sm" c="dimmed">
          No mail server is set up, so nobody is told by e-mail. You get a link for each person to pass on.
        </Text>
      )}
    </FormBody>
  );
}

function Refusals({ refused }: { refused: readonly Refusal[] }) {
  return (
    <Alert color="red" role="alert" title="These people were not invited">
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
