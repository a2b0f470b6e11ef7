import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../api/api.ts';
import { keepSession, sessionKey } from '../../api/session.ts';
import { PasswordField } from '../../kit/password-field.tsx';
import { t } from '../../kit/translate.ts';

const shortest = 8;

/** Sets the password with a link and signs in. */
export function NewPasswordForm({
  token,
  email,
  verb,
  until,
}: {
  token: string;
  email: string;
  verb: string;
  /** How long the link works, in words. */
  until: string;
}) {
  const router = useRouter();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const [isTouched, setTouched] = useState(false);
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
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {redeem.error && (
          <Alert color="red" role="alert">
            {redeem.error instanceof ApiError
              ? redeem.error.message
              : t('The server could not be reached. Check the connection and try again.')}
          </Alert>
        )}
        {/* password managers store the new password under this name */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={t('New password')}
          description={t('At least {shortest} characters; a sentence is easier to remember.', { shortest })}
          autoComplete="new-password"
          data-autofocus
          autoFocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          error={
            isTouched && isShort
              ? t('Has {count} of at least {shortest} characters', { count: password.length, shortest })
              : undefined
          }
        />
        <Button type="submit" loading={redeem.isPending}>
          {verb}
        </Button>
        <Text size="sm" c="dimmed">
          {t('The link works once, until {until}.', { until })}
        </Text>
      </Stack>
    </form>
  );
}
