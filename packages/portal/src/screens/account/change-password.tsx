import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/api.ts';
import { keepSession, sessionKey, useSession } from '../../api/session.ts';
import { PasswordField } from '../../parts/password-field.tsx';
import { useToast } from '../../parts/toasts.tsx';

/** For people who sign in with a password. */
export function ChangePassword() {
  const { session, user } = useSession();
  const queries = useQueryClient();
  const toast = useToast();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useMutation({
    mutationFn: () => call('changePassword', { body: { currentPassword, newPassword } }),
    onSuccess: (identity) => {
      queries.setQueryData(sessionKey, keepSession(identity));
      void queries.invalidateQueries({ queryKey: ['listSessions'] });
      setCurrent('');
      setNew('');
      toast('The password was changed. Your other sessions have ended');
    },
  });
  if (!user || session?.method !== 'password') return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit} aria-labelledby="password">
      <Stack gap="sm" maw={400}>
        <Title order={2} id="password">
          Password
        </Title>
        {change.error && (
          <Alert color="red" role="alert">
            {change.error.message}
          </Alert>
        )}
        <PasswordField
          label="Present password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          shows="the present password"
        />
        <PasswordField
          label="New password"
          description="At least 8 characters"
          autoComplete="new-password"
          value={newPassword}
          onChange={({ currentTarget }) => setNew(currentTarget.value)}
          shows="the new password"
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            disabled={currentPassword === '' || newPassword.length < 8}
          >
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
