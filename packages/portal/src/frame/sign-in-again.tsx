import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keepSession, type Session, sessionKey } from '../api/session.ts';
import { onSessionExpired } from '../api/session-fetch.ts';
import { SignInForm } from './sign-in-form.tsx';

/** When a session ends while somebody works: asks for the password over the screen, which keeps what was typed. */
export function SignInAgain() {
  const queries = useQueryClient();
  const [isExpired, setExpired] = useState(false);
  useEffect(() => onSessionExpired(() => setExpired(true)), []);
  const goOn = async (session: Session) => {
    const before = queries.getQueryData<Session>(sessionKey);
    keepSession(session);
    // somebody else's screen must not stay
    if (before?.user?.email !== session.user?.email) return location.reload();
    queries.setQueryData(sessionKey, session);
    setExpired(false);
    await queries.invalidateQueries();
  };
  return (
    <Modal
      opened={isExpired}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
    >
      <Text mb="md">Sign in to go on. What you typed is still here.</Text>
      <SignInForm onSignedIn={goOn} returnTo={location.pathname + location.search} />
    </Modal>
  );
}
