import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { IssuedCredentials } from './issued-credentials.tsx';
import { RolesAndTeams } from './role-and-teams.tsx';

/** Domains that service accounts have their addresses in: the installation's own, and the published one. */
const domains = [`serviceaccounts.${location.hostname}`, 'serviceaccounts.getport.io'];

/** Makes an account for a program; its credentials are shown once. */
export function NewServiceAccount({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [domain, setDomain] = useState(domains[0] ?? '');
  const [roles, setRoles] = useState(['Member']);
  const [teams, setTeams] = useState<string[]>([]);
  const create = useChange('createEntity', { staleAfter: ['listUsers'] });
  const patch = useChange('patchUser', { staleAfter: ['listUsers', 'listTeams'] });
  const [issued, setIssued] = useState<{ readonly clientId: string; readonly clientSecret: string }>();
  const [problem, setProblem] = useState<string>();
  const email = `${name.trim()}@${domain}`;
  const send = async () => {
    setProblem(undefined);
    try {
      const answer = await create.mutateAsync({
        params: { blueprint_identifier: '_user' },
        query: { upsert: false },
        body: {
          identifier: email,
          title: name.trim(),
          properties: {
            port_type: 'Service Account',
            status: 'Active',
            port_role: roles.includes('Admin') ? 'Admin' : 'Member',
          },
        },
      });
      const credentials = answer.additionalData?.['credentials'] as typeof issued;
      if (!credentials) return setProblem(`${email} was there before; make new credentials for it`);
      setIssued(credentials);
      const rest = roles.filter((role) => role !== 'Admin' && role !== 'Member');
      if (rest.length > 0 || teams.length > 0)
        await patch.mutateAsync({ params: { user_email: email }, body: { roles, teams } });
    } catch {
      // the answer is shown in the dialog
    }
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={issued ? `Credentials of ${email}` : 'New service account'}
      // what is shown once must not be lost to a slip of the mouse or a key
      closeOnClickOutside={!issued}
      closeOnEscape={!issued}
    >
      {issued ? (
        <Stack>
          {patch.error && (
            <Alert color="red" role="alert" title="The account is there, and its roles and teams were not set">
              {patch.error.message}
            </Alert>
          )}
          <IssuedCredentials {...issued} onDone={onClose} />
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Stack>
            {create.error && <ErrorState error={create.error} what="The account was not made" />}
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <Group align="flex-end" gap={4} grow>
              <TextInput
                label="Name"
                description="What runs with it, such as deploy-bot"
                required
                maxLength={200}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              <Select
                label="Domain"
                description="No mail goes there"
                data={domains.map((value) => ({ value, label: `@${value}` }))}
                value={domain}
                allowDeselect={false}
                onChange={(value) => setDomain(value ?? domain)}
              />
            </Group>
            <RolesAndTeams roles={roles} teams={teams} onRoles={setRoles} onTeams={setTeams} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending} disabled={!/^[^\s@]+$/.test(name.trim())}>
                Make the account
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
