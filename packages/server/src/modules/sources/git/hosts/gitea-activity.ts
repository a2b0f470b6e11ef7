import { z } from 'zod';
import type { ActivityKind, HostActivity, ListedRepository } from '../git-host.ts';
import { type HostAnswer, nextPage } from '../transport.ts';
import { actionsReaders, activityPaths, readActivityPage } from './activity-answers.ts';
import { readPages } from './activity-list.ts';

export interface GiteaCalls {
  readonly owners: readonly string[];
  get(path: string, signal: AbortSignal): Promise<HostAnswer>;
  /** @throws RepositoryUnreadable */
  ofRepository(path: string, rest: string, signal: AbortSignal): Promise<HostAnswer>;
  findRepository(path: string, signal: AbortSignal): Promise<ListedRepository>;
}

/** The most that the host answers at once. */
const pageSize = 50;
const changedCursor = z.object({ owner: z.number(), page: z.number() });
const firstPage = { owner: 0, page: 1 };
const foundPulls = z.array(
  z.looseObject({ number: z.number(), repository: z.looseObject({ full_name: z.string() }).nullish() }),
);

export function giteaActivity({ owners, get, ofRepository, findRepository }: GiteaCalls): HostActivity {
  function readList(kind: ActivityKind, path: string, query: string, max: number, signal: AbortSignal) {
    return readPages(1, max, async (page) => {
      const rest = `/${activityPaths[kind]}?${query}limit=${Math.min(max, pageSize)}&page=${page}`;
      const answer = await ofRepository(path, rest, signal);
      return { items: readActivityPage(kind, answer.text), next: nextPage(answer.headers) ? page + 1 : null };
    });
  }

  return {
    findRepository,
    readers: actionsReaders('sort=recentupdate', ofRepository, readList),
    async listChanged(cursor, since, signal) {
      const at = cursor === null ? firstPage : changedCursor.parse(cursor);
      const owner = owners[at.owner];
      const filter = owner === undefined ? '' : `&owner=${encodeURIComponent(owner)}`;
      const query = `type=pulls&state=all&since=${since.toISOString()}&limit=${pageSize}&page=${at.page}${filter}`;
      const answer = await get(`/repos/issues/search?${query}`, signal);
      const following = at.owner + 1 < owners.length ? { owner: at.owner + 1, page: 1 } : null;
      const items = foundPulls
        .parse(JSON.parse(answer.text))
        .flatMap(({ number, repository }) => (repository ? [{ path: repository.full_name, id: String(number) }] : []));
      return { items, next: nextPage(answer.headers) ? { ...at, page: at.page + 1 } : following, total: null };
    },
  };
}
