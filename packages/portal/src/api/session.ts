import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, call, errorStatus } from './api.ts';
import { keepProof } from './session-fetch.ts';

/** The signed-in user. Each answer states what the user may do; the role only selects which menus are shown. */
export type Session = AnswerOf<'getOwnIdentity'>;

export const sessionKey = ['session'] as const;

/** Null if not signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return keepSession(await call('getOwnIdentity'));
  } catch (error) {
    if (errorStatus(error) === 401) return keepSession(null);
    throw error;
  }
}

export function keepSession<Kept extends Session | null>(session: Kept): Kept {
  keepProof(session ? { csrfToken: session.csrfToken, organization: session.organization.id } : null);
  return session;
}

export const sessionOptions = { queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 };

/** The session. Only valid below the frame, which renders nothing without one. */
export function useSession(): Session {
  const { data } = useQuery(sessionOptions);
  if (!data) throw new Error('Nobody is signed in');
  return data;
}

/** Under what this browser keeps what the user looked at and arranged; apart in a demo organization. */
export function personHere({ user, organization }: Session): string {
  const name = user?.email ?? organization.id;
  return organization.isDemo ? `${organization.id} ${name}` : name;
}

/** Whether to offer administrative screens; the server authorizes each request. */
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
