import { Alert, Checkbox, Textarea } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { DialogForm, useSentForm } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { pastedAddresses } from './people-filter.ts';
import { RolesAndTeams } from './role-and-teams.tsx';

interface RefusedInvitation {
  readonly email: string;
  readonly message: string;
}

/** Invites one or many users; refused addresses stay in the field with the reason. */
export function InviteUsers({ onClose }: { onClose: () => void }) {
  const [refused, setRefused] = useState<readonly RefusedInvitation[]>([]);
  const toast = useToast();
  const form = useSentForm({
    initial: { text: '', roles: ['Member'], teams: [] as string[], notify: true },
    send: async ({ text, roles, teams, notify }): Promise<readonly RefusedInvitation[]> => {
      const refusals: RefusedInvitation[] = [];
      const all = pastedAddresses(text);
      for (const email of all) {
        try {
          await call('inviteUser', { query: { notify }, body: { invitee: { email, roles, teams } } });
        } catch (error) {
          refusals.push({ email, message: (error as Error).message });
        }
      }
      const count = all.length - refusals.length;
      if (count > 0) toast(`${count} ${count === 1 ? 'person was' : 'people were'} invited`);
      return refusals;
    },
    staleAfter: ['listUsers', 'listTeams'],
    onSaved: (refusals) => {
      setRefused(refusals);
      form.set({ text: refusals.map(({ email }) => email).join('\n') });
      if (refusals.length === 0) onClose();
    },
  });
  const addresses = pastedAddresses(form.values.text);
  return (
    <DialogForm
      form={form}
      title="Invite users"
      verb={addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
      isReady={addresses.length > 0}
      onClose={onClose}
    >
      {refused.length > 0 && (
        <Alert color="red" role="alert" title="These were not invited">
          <ul>
            {refused.map(({ email, message }) => (
              <li key={email}>
                {email}: {message}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <Textarea
        label="E-mail addresses"
        description="One or many, with commas or on lines of their own"
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
        {...form.field('text')}
      />
      <RolesAndTeams roles={form.field('roles')} teams={form.field('teams')} />
      <Checkbox
        label="Tell them by e-mail"
        description="Without it they are staged, and told nothing"
        {...form.box('notify')}
      />
    </DialogForm>
  );
}
