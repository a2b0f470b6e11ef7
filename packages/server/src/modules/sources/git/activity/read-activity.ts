import type { SourceProblem } from '@portolan/contract/sources';
import type { JqObject } from '@portolan/jq';
import type { SourceItem } from '../../source-type.ts';
import {
  type Activity,
  type ActivityKind,
  type GitHost,
  type ListedRepository,
  RepositoryUnreadable,
} from '../git-host.ts';
import { type ReadRepository, repositoryKey } from '../read-repository.ts';
import { type ActivitySettings, chosenKinds } from './activity-settings.ts';

const defaultLatest = 50;
const words: Readonly<Record<ActivityKind, string>> = {
  'pull-request': 'Pull requests',
  'pipeline-run': 'Pipeline runs',
  release: 'Releases',
};

/** The key of one of them, also after it is gone. */
export function activityKey(host: GitHost, repository: ListedRepository, kind: ActivityKind, id: string): string {
  return `${prefixOf(host, repository, kind)}${id}`;
}

/** Begins the keys of all of a kind in a repository. */
function prefixOf(host: GitHost, repository: ListedRepository, kind: ActivityKind): string {
  return `${repositoryKey(host, repository.id)}/${kind}/`;
}

/**
 * The latest of each chosen kind in a repository. Of a list that has more, what was not read is not gone; only one that
 * was read to its end says that the others are.
 */
export async function readActivity(
  host: GitHost,
  settings: Partial<ActivitySettings>,
  repository: ListedRepository,
  open: number | undefined,
  signal: AbortSignal,
): Promise<ReadRepository> {
  const items: SourceItem[] = [];
  const problems: SourceProblem[] = [];
  const unread: string[] = [];
  for (const kind of chosenKinds(settings)) {
    const prefix = prefixOf(host, repository, kind);
    const bounds = { max: settings.latest ?? defaultLatest, open };
    const list = await host.activity.readers[kind]?.list(repository, bounds, signal).catch(unreadable);
    if (list && 'isWhole' in list) {
      items.push(...list.items.map((each) => toItem(host, repository, kind, each)));
      if (list.isWhole) continue;
    } else if (list?.status === 403) problems.push(refused(kind, repository, repositoryKey(host, repository.id)));
    unread.push(prefix);
  }
  return { items, problems, gone: [], unread };
}

/** One of them as it is now, after an event or a change; nothing where the host does not show it. */
export async function readOneActivity(
  host: GitHost,
  kind: ActivityKind,
  repository: ListedRepository,
  id: string,
  signal: AbortSignal,
): Promise<ReadRepository> {
  const found = await host.activity.readers[kind]?.read({ path: repository.path, id }, signal).catch(unreadable);
  const none: ReadRepository = { items: [], problems: [], gone: [], unread: [] };
  if (found && 'id' in found) return { ...none, items: [toItem(host, repository, kind, found)] };
  if (found?.status !== 403) return none;
  return { ...none, problems: [refused(kind, repository, activityKey(host, repository, kind, id))] };
}

function toItem(
  host: GitHost,
  repository: ListedRepository,
  kind: ActivityKind,
  { id, document }: Activity,
): SourceItem {
  const key = activityKey(host, repository, kind, id);
  const { name = null, url = null } = repository.document;
  const lite: JqObject = { key: repositoryKey(host, repository.id), name, path: repository.path, url };
  const place = typeof document['url'] === 'string' ? { url: document['url'] } : {};
  return { key, kind, place, document: { ...document, key, id, repository: lite, host: host.name } };
}

/** A host without Actions or releases answers as if there were none to know of. */
function unreadable(error: unknown): { readonly status: number } {
  if (error instanceof RepositoryUnreadable) return { status: error.status };
  throw error;
}

function refused(kind: ActivityKind, { path }: ListedRepository, item: string): SourceProblem {
  const message = `${words[kind]} of "${path}" may not be read: give the token rights on them. What is known of them stays`;
  return { severity: 'warning', code: 'activity_refused', message, item, place: null };
}
