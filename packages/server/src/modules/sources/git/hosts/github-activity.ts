import { z } from 'zod';
import type { ActivityKind, HostActivity, ListedRepository } from '../git-host.ts';
import { type HostAnswer, nextPage } from '../transport.ts';
import { actionsReaders, activityPaths, readActivityPage } from './activity-answers.ts';
import { readPages } from './activity-list.ts';

export interface GitHubCalls {
  readonly owners: readonly string[];
  get(address: string, signal: AbortSignal): Promise<HostAnswer>;
  /** @throws RepositoryUnreadable */
  ofRepository(path: string, rest: string, signal: AbortSignal): Promise<HostAnswer>;
  /** A whole address of a later page. */
  nextOf(path: string, address: string, signal: AbortSignal): Promise<HostAnswer>;
  findRepository(path: string, signal: AbortSignal): Promise<ListedRepository>;
}

const pageSize = 100;
const changedCursor = z.object({ owner: z.number(), page: z.string().nullable() });
const found = z.looseObject({ items: z.array(z.looseObject({ number: z.number(), repository_url: z.string() })) });

export function gitHubActivity({ owners, get, ofRepository, nextOf, findRepository }: GitHubCalls): HostActivity {
  function readList(kind: ActivityKind, path: string, query: string, max: number, signal: AbortSignal) {
    return readPages('', max, async (page) => {
      const first = `/${activityPaths[kind]}?${query}per_page=${Math.min(max, pageSize)}`;
      const answer = page === '' ? await ofRepository(path, first, signal) : await nextOf(path, page, signal);
      return { items: readActivityPage(kind, answer.text), next: nextPage(answer.headers)?.href ?? null };
    });
  }

  return {
    findRepository,
    readers: actionsReaders('sort=updated&direction=desc', ofRepository, readList),
    async listChanged(cursor, since, signal) {
      const at = cursor === null ? { owner: 0, page: null } : changedCursor.parse(cursor);
      const owner = owners[at.owner];
      // without an owner, the search would find those of the whole world
      if (owner === undefined) return { items: [], next: null, total: null };
      const words = `is:pr user:${owner} updated:>=${since.toISOString().slice(0, 19)}Z`;
      const address = at.page ?? `/search/issues?q=${encodeURIComponent(words)}&per_page=${pageSize}`;
      const answer = await get(address, signal);
      const items = found.parse(JSON.parse(answer.text)).items.flatMap((each) => {
        const path = /\/repos\/([^/]+\/[^/]+)$/.exec(each.repository_url)?.[1];
        return path ? [{ path, id: String(each.number) }] : [];
      });
      const page = nextPage(answer.headers)?.href ?? null;
      const following = at.owner + 1 < owners.length ? { owner: at.owner + 1, page: null } : null;
      return { items, next: page === null ? following : { owner: at.owner, page }, total: null };
    },
  };
}
