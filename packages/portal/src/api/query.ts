import {
  type Query,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import {
  type AnswerOf,
  ApiError,
  type ArgumentsOf,
  call,
  errorStatus,
  type InputOf,
  type OperationName,
} from './api.ts';
import { useLiveState } from './live.ts';
import { liveReads } from './live-reads.ts';

/** Reads stay fresh this long; live changes make them stale earlier. */
const freshMs = 30_000;
/** Lower bound of the polling interval for reads that the live stream keeps fresh. */
const liveMs = 60_000;

/** Whoever has to wait longer is told so. */
const soonSeconds = 10;

export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: isRetried,
        retryDelay: (failures, error) => (busySeconds(error) ?? 2 ** failures) * 1_000,
        refetchOnWindowFocus: true,
      },
    },
  });
  rereadWhatWentStale(queries);
  return queries;
}

/**
 * Reads again what went stale while it was read for the first time, or while no screen showed it. The client lets such a
 * read finish and then takes its answer for fresh, although the server may have given it before the change.
 */
function rereadWhatWentStale(queries: QueryClient): void {
  const stale = new WeakSet<Query>();
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { query, action } = event;
    const goesOn = query.state.fetchStatus !== 'idle' && (query.state.data === undefined || !query.isActive());
    if (action.type === 'invalidate' && goesOn) stale.add(query);
    if (action.type === 'success' && stale.delete(query)) {
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  });
}

/** Retries network failures and errors of the server, and longer what the server is too busy for; refusals would repeat. */
function isRetried(failures: number, error: unknown): boolean {
  if (busySeconds(error) !== undefined) return failures < 5;
  return failures < 2 && (errorStatus(error) === 0 || errorStatus(error) >= 500);
}

/** When a server that is too busy at the moment wants to be asked again, if that is soon. */
function busySeconds(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || ![429, 503].includes(error.status)) return undefined;
  return error.retryAfter !== undefined && error.retryAfter <= soonSeconds ? error.retryAfter : undefined;
}

/** The cache key of an operation's answer. The name comes first, so `staleAfter: ['listPages']` matches every input. */
export function readKey<Name extends OperationName>(name: Name, ...input: ArgumentsOf<Name>): readonly unknown[] {
  return input[0] === undefined ? [name] : [name, input[0]];
}

/** How often a read is repeated; 0 for never. It may depend on the last answer. */
type Pace<Answer> = number | ((answer: Answer | undefined) => number);

export interface ReadSettings<Answer = unknown> {
  readonly isOn?: boolean;
  readonly everyMs?: Pace<Answer>;
  /** Shows the previous answer while the one for a changed input loads. */
  readonly keepsPrevious?: boolean;
  /** Reads again when mounted after a failure. False for what is shown inside the error of the same read. */
  readonly retriesOnMount?: boolean;
}

type ReadArguments<Input, Answer> = object extends Input
  ? [input?: Input, settings?: ReadSettings<Answer>]
  : [input: Input, settings?: ReadSettings<Answer>];

/** Reads with an operation of the contract; components with the same input share one cached answer. */
export function useRead<Name extends OperationName>(
  name: Name,
  ...[input, settings]: ReadArguments<InputOf<Name>, AnswerOf<Name>>
): UseQueryResult<AnswerOf<Name>> {
  const {
    isOn = true,
    everyMs,
    keepsPrevious,
    retriesOnMount = true,
  } = (settings ?? {}) as ReadSettings<AnswerOf<Name>>;
  const live = useLiveState();
  const isLive = live.kind === 'open' && liveReads.has(name);
  return useQuery({
    queryKey: readKey(name, ...([input] as unknown as ArgumentsOf<Name>)),
    queryFn: ({ signal }) => call(name, { ...input, signal } as InputOf<Name>),
    enabled: isOn,
    retryOnMount: retriesOnMount,
    ...(everyMs
      ? {
          refetchInterval: (query: Pick<Query<AnswerOf<Name>>, 'state'>) => {
            const paceMs = typeof everyMs === 'number' ? everyMs : everyMs(query.state.data);
            return paceMs > 0 && (isLive ? Math.max(paceMs, liveMs) : paceMs);
          },
        }
      : {}),
    ...(keepsPrevious ? { placeholderData: (previous: unknown) => previous as never } : {}),
  }) as UseQueryResult<AnswerOf<Name>>;
}

/** Invalidates these reads for every input and waits until the visible ones are refetched. */
export function useRefresh() {
  const queries = useQueryClient();
  return async (reads: readonly OperationName[]): Promise<void> => {
    await Promise.all(reads.map((read) => queries.invalidateQueries({ queryKey: [read as string] })));
  };
}

/** Changes with an operation of the contract and invalidates the reads in `staleAfter` after success. */
export function useChange<Name extends OperationName>(
  name: Name,
  { staleAfter = [] }: { staleAfter?: OperationName[] } = {},
) {
  const refresh = useRefresh();
  return useMutation<AnswerOf<Name>, Error, InputOf<Name>>({
    mutationFn: (input) => call(name, input),
    onSuccess: () => refresh(staleAfter),
  });
}
