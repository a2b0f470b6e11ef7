import { useInbox } from './inbox.ts';

/** How many runs wait for the user's approval, and how many workflows for a form of theirs. */
export function useInboxCount(): { readonly count: number } {
  const { waiting, forms } = useInbox();
  return { count: waiting.length + forms.length };
}
