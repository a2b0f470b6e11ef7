import { Alert, Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, call, errorCode } from '../../api/api.ts';
import { keepSession, sessionKey } from '../../api/session.ts';
import { PasswordField } from '../../kit/password-field.tsx';
import { BarePage } from './bare-page.tsx';

const shortest = 8;

export function Screen() {
  const router = useRouter();
  const queries = useQueryClient();
  // the token is in the fragment, so that it reaches no server and no log
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const [isTouched, setTouched] = useState(false);
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const redeem = useMutation({
    mutationFn: () => call('redeemPasswordLink', { body: { token, password } }),
    onSuccess: (session) => {
      document.documentElement.dataset['session'] = 'sent';
      queries.clear();
      queries.setQueryData(sessionKey, keepSession(session));
      router.history.replace('/');
    },
  });
  const isShort = password.length < shortest;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (!isShort && !redeem.isPending) redeem.mutate();
  };
  if (token === '') {
    return (
      <BarePage title="Set a password" lead="This needs the whole link that an administrator gave you.">
        <Alert color="yellow">
          The link is not complete. Open it once more as you received it, up to its last letter.
        </Alert>
      </BarePage>
    );
  }
  return (
    <BarePage title="Set a password" lead="It signs you in, and ends sessions that you had elsewhere.">
      <form onSubmit={submit} noValidate>
        <Stack>
          {redeem.error && (
            <Alert color="red" role="alert">
              {refusal(redeem.error)}
            </Alert>
          )}
          <PasswordField
            label="New password"
            description={`At least ${shortest} characters; a sentence is easier to remember.`}
            autoComplete="new-password"
            data-autofocus
            autoFocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={isTouched && isShort ? `Has ${password.length} of at least ${shortest} characters` : undefined}
          />
          <Button type="submit" loading={redeem.isPending}>
            Set the password and sign in
          </Button>
        </Stack>
      </form>
    </BarePage>
  );
}

function refusal(error: unknown): string {
  if (errorCode(error) === 'unauthorized') {
    return 'The link was used already, is older than three days, or was replaced by a newer one. Ask an administrator for another.';
  }
  return error instanceof ApiError
    ? error.message
    : 'The server could not be reached. Check the connection and try again.';
}
