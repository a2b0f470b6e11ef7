import type { AnswerOf } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { useSession } from '../api/session.ts';

export type InboxRun = AnswerOf<'listRuns'>['runs'][number];

const everyMs = 60_000;

/** What waits for a decision, and how the person's own latest runs ended. */
export function useInbox() {
  const { user } = useSession();
  const asked = { version: 'v2', limit: 50 } as const;
  const approvals = useRead('listRuns', { query: { ...asked, status: 'WAITING_FOR_APPROVAL' } }, { everyMs });
  const drafts = useRead('listRuns', { query: { ...asked, status: 'DRAFT' } }, { everyMs });
  const mine = useRead(
    'listRuns',
    { query: { ...asked, limit: 20, user_email: user?.email ?? '' } },
    { everyMs, isOn: user !== null },
  );
  return {
    waiting: [...(drafts.data?.runs ?? []), ...(approvals.data?.runs ?? [])] as readonly InboxRun[],
    mine: (mine.data?.runs ?? []) as readonly InboxRun[],
    isPending: approvals.isPending || drafts.isPending,
    error: approvals.error ?? drafts.error ?? mine.error,
    refetch: () => Promise.all([approvals.refetch(), drafts.refetch(), mine.refetch()]),
  };
}
