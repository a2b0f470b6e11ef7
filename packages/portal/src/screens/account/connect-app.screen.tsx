import { Alert } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api.ts';
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
    <BarePage title={t('An app wants to connect')} lead={t('Sign in to see what it asks for. You decide afterwards.')}>
      <SignInForm onSignedIn={enter} returnTo="/connect-app" />
    </BarePage>
  );
}

function AskedOfPerson({ request }: { request: string }) {
  const { data: described, error } = useRead('describeAuthorization', { body: { request } });
  if (error) {
    return (
      <BarePage title={t('The app cannot connect')} lead={t('Nothing was allowed.')}>
        <Alert color="red" role="alert">
          {error instanceof ApiError ? error.message : t('The server could not be reached.')}
        </Alert>
      </BarePage>
    );
  }
  return described ? <DecideOnApp request={request} described={described} /> : <Waiting />;
}

const reasons: Readonly<Record<string, string>> = {
  client: t(
    'The app is not registered here, or its registration is of another server. Remove it there and add it again.',
  ),
  redirect: t('The app asked to be answered at an address that it did not register. Tell whoever runs it.'),
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
