import { Alert, Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { keepSession, type Session, sessionKey, sessionOptions } from '../../api/session.ts';
import { SignInForm } from '../../frame/sign-in-form.tsx';
import { TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { takeAskedAuthorization } from './asked-authorization.ts';
import { BarePage } from './bare-page.tsx';
import { DecideOnApp } from './decide-on-app.tsx';

/** Where an app sends the browser of somebody who is to let it in. */
export function Screen() {
  const [asked] = useState(() => takeAskedAuthorization(location.hash));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const { data: session, isPending } = useQuery(sessionOptions);
  const problem = new URLSearchParams(asked).get('problem');
  if (asked === '' || problem !== null) return <NotAsked problem={problem} />;
  if (isPending) return <Waiting />;
  return session ? <AskedOfPerson request={asked} /> : <SignInFirst />;
}

function Waiting() {
  return (
    <BarePage title={t('One moment')} lead={t('The request of the app is being checked.')}>
      <TextSkeleton lines={3} />
    </BarePage>
  );
}

function SignInFirst() {
  const queries = useQueryClient();
  const enter = (session: Session) => {
    document.documentElement.dataset['session'] = 'sent';
    queries.setQueryData(sessionKey, keepSession(session));
  };
  return (
    <BarePage title={t('An app wants to connect')} lead={t('Sign in to see its request. You decide afterwards.')}>
      <SignInForm onSignedIn={enter} returnTo="/connect-app" />
    </BarePage>
  );
}

function AskedOfPerson({ request }: { request: string }) {
  const { data: described, error } = useRead('describeAuthorization', { body: { request } });
  if (error) {
    return (
      <BarePage title={t('The app cannot connect')} lead={t('Nothing was allowed.')}>
        <Stack>
          <Alert color="red" role="alert">
            {error instanceof ApiError ? error.message : t('The server could not be reached.')}
          </Alert>
          <BackToApp request={request} />
        </Stack>
      </BarePage>
    );
  }
  return described ? <DecideOnApp request={request} described={described} /> : <Waiting />;
}

/** Tells the app why it was turned away, where that can be told. */
function BackToApp({ request }: { request: string }) {
  const deny = useMutation({
    mutationFn: () => call('decideAuthorization', { body: { request, decision: 'deny' } }),
    onSuccess: ({ location: next }) => location.assign(next),
  });
  if (deny.isError) return null;
  return (
    <Button variant="default" loading={deny.isPending || deny.isSuccess} onClick={() => deny.mutate()}>
      {t('Back to the app')}
    </Button>
  );
}

const reasons: Readonly<Record<string, string>> = {
  client: t(
    'The app is not registered here, or its registration is of another server. Remove it there and add it again.',
  ),
  redirect: t('The app asked to be answered at an address that it did not register. Tell its operator.'),
};

function NotAsked({ problem }: { problem: string | null }) {
  return (
    <BarePage title={t('The app cannot connect')} lead={t('Nothing was allowed.')}>
      <Alert color="yellow">
        {reasons[problem ?? ''] ?? t('Start in the app: it opens this page with its request.')}
      </Alert>
    </BarePage>
  );
}
