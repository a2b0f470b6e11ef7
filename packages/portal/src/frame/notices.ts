import type { AnswerOf } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { useSession } from '../api/session.ts';

export type Notice = AnswerOf<'listNotices'>['notices'][number];

const everyMs = 60_000;

/** What workflows told the user, newest first; by default as many as the page itself brings. */
export function useNotices(limit = 20) {
  const { user } = useSession();
  return useRead('listNotices', { query: { limit } }, { everyMs, isOn: user !== null, keepsPrevious: true });
}
