import { Alert, Button, Divider, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError, call, errorCode } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { type Session, sessionKey } from '../api/session.ts';
import { PasswordField } from '../kit/password-field.tsx';
import { t } from '../kit/translate.ts';

/** Email and password, and the identity provider if there is one. */
export function SignInForm({
  onSignedIn,
  returnTo,
}: {
  onSignedIn: (session: Session) => void | Promise<void>;
  returnTo: string;
}) {
  const known = useQueryClient().getQueryData<Session>(sessionKey)?.user?.email ?? '';
  const organization = new URLSearchParams(location.search).get('organization') ?? undefined;
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const options = useRead('getSignInOptions', { query: { organization } });
  const attempt = useMutation({
    mutationFn: () => call('signIn', { body: { email: email.trim(), password, organization } }),
    onSuccess: onSignedIn,
    onError: () => passwordField.current?.select(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!attempt.isPending) attempt.mutate();
  };
  const sso = options.data?.sso;
  return (
    <Stack>
      {attempt.error && (
        <Alert color="red" role="alert">
          {refusal(attempt.error)}
        </Alert>
      )}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('E-mail address')}
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            data-autofocus={known === '' || undefined}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <PasswordField
            ref={passwordField}
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus={known !== '' || undefined}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" loading={attempt.isPending}>
            {t('Sign in')}
          </Button>
        </Stack>
      </form>
      {sso && (
        <>
          <Divider label={t('or')} />
          <SsoButton sso={sso} returnTo={returnTo} />
        </>
      )}
      <Text c="dimmed" size="sm">
        {t('Forgot your password? An administrator can give you a link that sets a new one.')}
      </Text>
    </Stack>
  );
}

/** Leads to the identity provider. */
export function SsoButton({ sso, returnTo }: { sso: { url: string; issuer: string }; returnTo: string }) {
  return (
    <Button component="a" variant="default" href={ssoAddress(sso.url, returnTo)}>
      {t('Sign in with {hostname}', { hostname: new URL(sso.issuer).hostname })}
    </Button>
  );
}

/** Returns only path and query, so the browser stays on the origin it came by. */
function ssoAddress(url: string, returnTo: string): string {
  const { pathname, searchParams } = new URL(url, location.origin);
  searchParams.set('return_to', returnTo);
  return `${pathname}?${searchParams}`;
}

function refusal(error: unknown): string {
  if (errorCode(error) === 'unauthorized') return t('Address or password is wrong.');
  if (error instanceof ApiError) return error.message;
  return t('The server could not be reached. Check the connection and try again.');
}
