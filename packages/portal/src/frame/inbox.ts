import type { AnswerOf } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { useSession } from '../api/session.ts';

export type InboxRun = AnswerOf<'listRuns'>['runs'][number];

const everyMs = 60_000;

export type InboxForm = AnswerOf<'listWorkflowRuns'>['runs'][number];

/** Runs that wait for the user's approval, runs of workflows with a form for the user, and the user's own recent runs. */
export function useInbox() {
  const { user } = useSession();
  const asked = { version: 'v2' } as const;
  const waiting = useRead('listRuns', { query: { ...asked, limit: 50, decidable: true } }, { everyMs });
  const mine = useRead(
    'listRuns',
    { query: { ...asked, limit: 20, user_email: user?.email ?? '' } },
    { everyMs, isOn: user !== null },
  );
  const forms = useRead('listWorkflowRuns', { query: { waiting_for_me: true, limit: 50 } }, { everyMs });
  return {
    waiting: (waiting.data?.runs ?? []) as readonly InboxRun[],
    forms: (forms.data?.runs ?? []) as readonly InboxForm[],
    mine: (mine.data?.runs ?? []) as readonly InboxRun[],
    isPending: waiting.isPending,
    error: waiting.error ?? forms.error ?? mine.error,
    refetch: () => Promise.all([waiting.refetch(), forms.refetch(), mine.refetch()]),
  };
}
