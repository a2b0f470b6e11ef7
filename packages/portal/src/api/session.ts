import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, call, errorStatus } from './api.ts';
import { keepCsrfToken } from './session-fetch.ts';

/** Who is signed in. What a person may do comes with each answer; the role decides only which menus are shown. */
export type Session = AnswerOf<'getOwnIdentity'>;

export const sessionKey = ['session'] as const;

/** Null where nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return keepSession(await call('getOwnIdentity'));
  } catch (error) {
    if (errorStatus(error) === 401) return keepSession(null);
    throw error;
  }
}

export function keepSession<Kept extends Session | null>(session: Kept): Kept {
  keepCsrfToken(session?.csrfToken ?? null);
  return session;
}

/** The server says in the page itself whether this browser sent a session at all, which saves asking for it. */
export function hasNoCookie(): boolean {
  return document.documentElement.dataset['session'] === 'none';
}

export const sessionOptions = { queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 };

/** The person who is signed in; only below the frame, which shows nothing to others. */
export function useSession(): Session {
  const { data } = useQuery(sessionOptions);
  if (!data) throw new Error('Nobody is signed in');
  return data;
}

/** Whether administrative screens are offered; the server decides what they may do. */
export function isAdmin(session: Session): boolean {
  return session.roles.includes('Admin');
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await call('signOut');
    queries.clear();
    location.assign('/sign-in');
  };
}
