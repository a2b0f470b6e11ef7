import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keepSession, type Session, sessionKey } from '../api/session.ts';
import { onSessionExpired } from '../api/session-fetch.ts';
import { whenOpened } from '../kit/when-opened.tsx';

const SessionEnded = whenOpened<{ onSignedIn: (session: Session) => Promise<void> }>(
  async () => (await import('./session-ended.tsx')).SessionEnded,
);

/** When a session ends during work: asks for the password in a dialog, so the screen keeps its unsaved input. */
export function SignInAgain() {
  const queries = useQueryClient();
  const [isExpired, setExpired] = useState(false);
  useEffect(() => onSessionExpired(() => setExpired(true)), []);
  const goOn = async (session: Session) => {
    const before = queries.getQueryData<Session>(sessionKey);
    keepSession(session);
    // another user, or in another organization: discard the screen
    if (before?.user?.email !== session.user?.email) return location.reload();
    if (before?.organization.id !== session.organization.id) return location.assign('/');
    queries.setQueryData(sessionKey, session);
    setExpired(false);
    await queries.invalidateQueries();
  };
  return <SessionEnded isOpen={isExpired} onSignedIn={goOn} />;
}
