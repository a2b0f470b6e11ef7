import type { LiveChange } from '@portolan/contract/live';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isBeingLeft, onLive } from '../api/live.ts';
import { isReread, isTouched } from '../api/live-reads.ts';

/** Changes within this time are handled in one refetch. */
const gatherMs = 250;
/** Delays the stream, so that the first screen loads first. */
const startMs = 1_000;

/** Refetches what others change while the user is signed in. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      const { followLive } = await import('../api/live-stream.ts');
      await followLive(stop.signal);
    };
    const start = setTimeout(() => void follow(), startMs);
    let changes: LiveChange[] = [];
    let isAll = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      // a screen that is being left shows what may just have been deleted
      const { resolvedLocation, location } = router.state;
      if (isBeingLeft() || (resolvedLocation && resolvedLocation.href !== location.href)) {
        timer = setTimeout(read, gatherMs);
        return;
      }
      const due = changes;
      const isDue = isAll;
      changes = [];
      isAll = false;
      timer = undefined;
      void queries.invalidateQueries({ predicate: (query) => (isDue ? isReread(query) : isTouched(query, due)) });
    };
    const stopListening = onLive((news) => {
      if (news) changes.push(...news);
      else isAll = true;
      timer ??= setTimeout(read, gatherMs);
    });
    return () => {
      stop.abort();
      clearTimeout(start);
      clearTimeout(timer);
      stopListening();
    };
  }, [queries, router]);
}
