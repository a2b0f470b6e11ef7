import type { AnswerOf } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { useSession } from '../api/session.ts';

export type InboxRun = AnswerOf<'listRuns'>['runs'][number];

const everyMs = 60_000;

/** Runs that wait for the user's approval, and the user's own recent runs. */
export function useInbox() {
  const { user } = useSession();
  const asked = { version: 'v2' } as const;
  const waiting = useRead('listRuns', { query: { ...asked, limit: 50, decidable: true } }, { everyMs });
  const mine = useRead(
    'listRuns',
    { query: { ...asked, limit: 20, user_email: user?.email ?? '' } },
    { everyMs, isOn: user !== null },
  );
  return {
    waiting: (waiting.data?.runs ?? []) as readonly InboxRun[],
    mine: (mine.data?.runs ?? []) as readonly InboxRun[],
    isPending: waiting.isPending,
    error: waiting.error ?? mine.error,
    refetch: () => Promise.all([waiting.refetch(), mine.refetch()]),
  };
}
