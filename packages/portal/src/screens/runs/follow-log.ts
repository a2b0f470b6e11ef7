import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, call } from '../../api/api.ts';

export type LogLine = AnswerOf<'listRunLogs'>['runLogs'][number];

const page = 50;
const pagesAtOnce = 40;

/** How long until the next look: soon while something happens, less and less often while nothing does. */
export function nextLookMs(quietLooks: number): number {
  return Math.min(15_000, 1500 * 1.5 ** Math.max(0, quietLooks - 2));
}

/** What is known of a log so far, and for how many looks nothing new came. */
export interface FollowedLog {
  readonly lines: readonly LogLine[];
  readonly quietLooks: number;
  readonly hasMore: boolean;
}

type ReadPage = (offset: number) => Promise<readonly LogLine[]>;

/** Reads on where it ended: lines are only ever added. */
export async function readOn(known: FollowedLog | undefined, read: ReadPage): Promise<FollowedLog> {
  const lines = [...(known?.lines ?? [])];
  const before = lines.length;
  let last = page;
  for (let pages = 0; pages < pagesAtOnce && last === page; pages += 1) {
    const next = await read(lines.length);
    lines.push(...next);
    last = next.length;
  }
  const isQuiet = lines.length === before;
  return { lines, quietLooks: isQuiet ? (known?.quietLooks ?? 0) + 1 : 0, hasMore: last === page };
}

/** The log of a run, followed until the run is over; one more look is taken then. */
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
        } as never);
        return runLogs;
      });
    },
    placeholderData: (previous) => previous,
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      isOver && !state.data?.hasMore ? false : state.data?.hasMore ? 50 : nextLookMs(state.data?.quietLooks ?? 0),
  });
}
