import { Alert, Button, Checkbox, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { pastedAddresses } from './people-filter.ts';
import { RolesAndTeams } from './role-and-teams.tsx';

/** Invites one person or many; those that were refused stay in the field, each with the reason. */
export function InviteUsers({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [roles, setRoles] = useState(['Member']);
  const [teams, setTeams] = useState<string[]>([]);
  const [isTold, setTold] = useState(true);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const invite = useChange('inviteUser', { staleAfter: ['listUsers', 'listTeams'] });
  const toast = useToast();
  const addresses = pastedAddresses(text);
  const send = async () => {
    setBusy(true);
    const refused: { email: string; message: string }[] = [];
    for (const email of addresses) {
      try {
        await invite.mutateAsync({ query: { notify: isTold }, body: { invitee: { email, roles, teams } } });
      } catch (error) {
        refused.push({ email, message: (error as Error).message });
      }
    }
    setBusy(false);
    const count = addresses.length - refused.length;
    if (count > 0) toast(`${count} ${count === 1 ? 'person was' : 'people were'} invited`);
    setRefusals(refused.map(({ email, message }) => `${email}: ${message}`));
    setText(refused.map(({ email }) => email).join('\n'));
    if (refused.length === 0) onClose();
  };
  return (
    <Dialog opened onClose={onClose} title="Invite users">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Stack>
          {refusals.length > 0 && (
            <Alert color="red" role="alert" title="These were not invited">
              <ul>
                {refusals.map((refusal) => (
                  <li key={refusal}>{refusal}</li>
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
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <RolesAndTeams roles={roles} teams={teams} onRoles={setRoles} onTeams={setTeams} />
          <Checkbox
            label="Tell them by e-mail"
            description="Without it they are staged, and told nothing"
            checked={isTold}
            onChange={({ currentTarget }) => setTold(currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={addresses.length === 0}>
              {addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
