import { useInbox } from './inbox.ts';

/** The number of runs that wait for the user's approval. */
export function useInboxCount(): { readonly count: number } {
  return { count: useInbox().waiting.length };
}
