import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { type KnownUser, nameOf, rolesOf } from './people-filter.ts';
import { RolesAndTeams } from './role-and-teams.tsx';

/** Sets the roles and teams of somebody. */
export function EditUser({ user, onClose }: { user: KnownUser; onClose: () => void }) {
  const [roles, setRoles] = useState([...rolesOf(user)]);
  const [teams, setTeams] = useState([...(user.teams ?? [])]);
  const patch = useChange('patchUser', { staleAfter: ['listUsers', 'listTeams'] });
  const toast = useToast();
  return (
    <Dialog opened onClose={onClose} title={`Edit ${nameOf(user)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          patch.mutate(
            { params: { user_email: user.email ?? '' }, body: { roles, teams } },
            {
              onSuccess: () => {
                toast(`${nameOf(user)} was saved`);
                onClose();
              },
            },
          );
        }}
      >
        <Stack>
          {patch.error && (
            <Alert color="red" role="alert">
              {patch.error.message}
            </Alert>
          )}
          <RolesAndTeams roles={roles} teams={teams} onRoles={setRoles} onTeams={setTeams} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={patch.isPending} disabled={roles.length === 0}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
