import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/api.ts';
import { type FollowedLog, nextLookMs, page, readOn } from './read-log.ts';

/** The log of a run, polled until the run ends; one more read follows then. */
export function useRunLog(run: string, isOver: boolean) {
  return useQuery<FollowedLog>({
    queryKey: ['followed log', run, isOver],
    queryFn: ({ client, signal }) => {
      const known =
        client.getQueryData<FollowedLog>(['followed log', run, isOver]) ??
        client.getQueryData<FollowedLog>(['followed log', run, false]);
      return readOn(known, async (offset) => {
        const { runLogs } = await call('listRunLogs', {
          params: { run_id: run },
          query: { limit: page, offset },
          signal,
        });
        return runLogs;
      });
    },
    placeholderData: (previous) => previous,
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      isOver && !state.data?.hasMore ? false : state.data?.hasMore ? 50 : nextLookMs(state.data?.quietLooks ?? 0),
  });
}
