import type { LiveChange } from '@portolan/contract/live';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveState, onLive, watchLiveState } from '../api/live.ts';
import { isReread, isTouched, liveReads } from '../api/live-reads.ts';

/** Changes that come together are one reading. */
const gatherMs = 250;
/** The first screen comes first. */
const startMs = 1_000;

/** Reads anew what others change, as long as somebody is signed in. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
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
    // what is looked at less often from now on may have changed between the last look and the first word of the stream
    const stopWatching = watchLiveState(() => {
      if (liveState().kind !== 'open') return;
      void queries.invalidateQueries({ predicate: ({ queryKey }) => liveReads.has(String(queryKey[0])) });
    });
    return () => {
      stopWatching();
      stop.abort();
      clearTimeout(start);
      clearTimeout(timer);
      stopListening();
    };
  }, [queries]);
}
