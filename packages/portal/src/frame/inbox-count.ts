import { useInbox } from './inbox.ts';

/** How much waits for the person's decision. */
export function useInboxCount(): { readonly count: number } {
  return { count: useInbox().waiting.length };
}
