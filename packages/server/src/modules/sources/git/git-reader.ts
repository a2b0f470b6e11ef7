import type { SourceProblem } from '@portolan/contract/sources';
import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import type {
  PassStart,
  ReaderPorts,
  SourceEvent,
  SourceItem,
  SourcePage,
  SourceReader,
  Tombstone,
} from '../source-type.ts';
import { type ActivitySettings, chosenKinds } from './activity/activity-settings.ts';
import { activityKey, readActivity, readOneActivity } from './activity/read-activity.ts';
import {
  type ActivityEvent,
  type GitHost,
  type HostEvent,
  type ListedRepository,
  RepositoryUnreadable,
} from './git-host.ts';
import type { GitSettings } from './git-settings.ts';
import { type ReadRepository, readRepository, repositoryKey } from './read-repository.ts';
import { compileWanted } from './wanted-files.ts';

const cursorSchema = z.object({
  phase: z.enum(['repositories', 'teams', 'pull-requests']),
  /** Of the host. */
  list: z.json().transform((value) => value as JqValue),
  /** Repositories so far. */
  read: z.number(),
});
type Cursor = Readonly<z.output<typeof cursorSchema>>;
const stateSchema = z.object({ since: z.string() });
const start: Cursor = { phase: 'repositories', list: null, read: 0 };
/** Clocks differ, and what changed while a pass ran is read again. */
const overlapMs = 5 * 60_000;
const sampleMax = 5;

/** A Git host as a source: first its repositories with what they declare, then its teams. */
export function createGitReader(
  host: GitHost,
  settings: GitSettings & Partial<ActivitySettings>,
  ports: ReaderPorts,
): SourceReader {
  const wanted = compileWanted(settings);
  const kinds = chosenKinds(settings);
  const changesPulls = kinds.includes('pull-request') && host.activity.listChanged !== undefined;
  const isMeant = (repository: ListedRepository): boolean =>
    (settings.archived || !repository.isArchived) && (settings.forks || !repository.isFork);

  /** Never fails for one repository that may not be read: what is known of it stays. */
  async function readOne(repository: ListedRepository, before: string | undefined, signal: AbortSignal) {
    try {
      const read = await readRepository({ host, settings, wanted, signal }, repository, before);
      const open = read.items[0]?.document['openPullRequests'];
      const count = typeof open === 'number' ? open : undefined;
      return joined([read, await readActivity(host, settings, repository, count, signal)]);
    } catch (error) {
      if (!(error instanceof RepositoryUnreadable)) throw error;
      return lostAccess(repositoryKey(host, repository.id), repository.path);
    }
  }

  async function readRepositories(pass: PassStart, at: Cursor, signal: AbortSignal): Promise<SourcePage> {
    const before = host.requestCount();
    const since = sinceOf(pass);
    const list = await host.listRepositories(at.list, since, signal);
    const read = await Promise.all(
      list.items.filter(isMeant).map(async (repository) => {
        const base = since && !repository.isEmpty ? await headAt(repository, since, signal) : undefined;
        return readOne(repository, base, signal);
      }),
    );
    const count = at.read + list.items.length;
    const phase = pass.mode === 'full' ? settings.teams && 'teams' : changesPulls && 'pull-requests';
    const last: Cursor | null = phase ? { phase, list: null, read: count } : null;
    const following: Cursor | null =
      list.next === null ? last : { phase: 'repositories', list: list.next, read: count };
    const of = list.total === null || settings.owners.length > 1 || since ? '' : ` of ${list.total}`;
    return {
      ...joined(read),
      next: following,
      requests: host.requestCount() - before,
      note: `${count}${of} repositories`,
    };
  }

  async function headAt(repository: ListedRepository, since: Date, signal: AbortSignal): Promise<string | undefined> {
    try {
      return await host.headAt(repository, since, signal);
    } catch (error) {
      if (error instanceof RepositoryUnreadable) return undefined;
      throw error;
    }
  }

  /** Those that changed although nobody pushed: most hosts do not count that as a change of the repository. */
  async function readChangedPulls(pass: PassStart, at: Cursor, signal: AbortSignal): Promise<SourcePage> {
    const { activity } = host;
    const since = sinceOf(pass);
    if (!activity.listChanged || !since) return { items: [], next: null, requests: 0 };
    const before = host.requestCount();
    const list = await activity.listChanged(at.list, since, signal);
    const repositories = new Map<string, Promise<ListedRepository | undefined>>();
    const repositoryAt = (path: string): Promise<ListedRepository | undefined> => {
      const known = repositories.get(path) ?? activity.findRepository(path, signal).catch(toUnknown);
      repositories.set(path, known);
      return known;
    };
    const read = await Promise.all(
      list.items.map(async ({ path, id }) => {
        const repository = await repositoryAt(path);
        if (!repository || !isMeant(repository)) return joined([]);
        return readOneActivity(host, 'pull-request', repository, id, signal);
      }),
    );
    const next = list.next === null ? null : { ...at, list: list.next };
    return { ...joined(read), next, requests: host.requestCount() - before, note: 'pull requests' };
  }

  /** Undefined also for a repository that may not be read: that is no evidence that it is gone. */
  async function readEvent(event: SourceEvent, signal: AbortSignal): Promise<HostEvent | undefined> {
    try {
      return await host.readEvent(event, signal);
    } catch (error) {
      if (error instanceof RepositoryUnreadable) return undefined;
      throw error;
    }
  }

  async function readActivityEvent(
    { activity, id, isDeleted, findRepository }: ActivityEvent,
    signal: AbortSignal,
  ): Promise<ReadRepository | undefined> {
    if (!kinds.includes(activity)) return undefined;
    const repository = await findRepository(signal).catch(toUnknown);
    if (!repository || !isMeant(repository) || !isOwned(repository, settings)) return undefined;
    if (!isDeleted) return readOneActivity(host, activity, repository, id, signal);
    return { ...joined([]), gone: [{ key: activityKey(host, repository, activity, id) }] };
  }

  async function readTeams(at: Cursor, signal: AbortSignal): Promise<SourcePage> {
    const before = host.requestCount();
    const list = await host.listTeams(at.list, signal);
    const items = list.items.map((team) => toTeamItem(host, team));
    const next = list.next === null ? null : { ...at, list: list.next };
    const unread = list.unreadable === undefined ? [] : [teamKey(host, list.unreadable, '')];
    return { items, unread, next, requests: host.requestCount() - before, note: 'teams' };
  }

  return {
    async check(signal) {
      const checks = [...(await host.check(signal))];
      if (checks.some(({ state }) => state === 'failed')) return { checks, sample: [], total: null };
      const list = await host.listRepositories(null, undefined, signal);
      const meant = list.items.filter(isMeant).slice(0, sampleMax);
      const read = await Promise.all(meant.map((repository) => readOne(repository, undefined, signal)));
      checks.push(firstPageCheck(list.total ?? list.items.length));
      return { checks, sample: sampleOf(joined(read).items, kinds), total: list.total };
    },
    async readPage(pass, cursor, signal) {
      const at = cursor === null ? start : cursorSchema.parse(cursor);
      if (at.phase === 'teams') return readTeams(at, signal);
      return at.phase === 'repositories' ? readRepositories(pass, at, signal) : readChangedPulls(pass, at, signal);
    },
    readState: async () => ({ since: new Date(ports.now().getTime() - overlapMs).toISOString() }),
    registerHook: (address, secret, signal) => host.registerHook(address, secret, signal),
    async readEvent(event, signal) {
      const before = host.requestCount();
      const said = await readEvent(event, signal);
      if (!said) return undefined;
      if (said.kind === 'deleted') {
        // an event may be sent again long after, and hosts bring back what was deleted
        const found = await host.activity.findRepository(said.path, signal).catch(toUnknown);
        if (found?.id === said.id) return undefined;
        return { items: [], gone: [{ key: repositoryKey(host, said.id) }], next: null, requests: 0 };
      }
      if (said.kind === 'activity') {
        const read = await readActivityEvent(said, signal);
        return read && { ...read, next: null, requests: host.requestCount() - before };
      }
      if (!isMeant(said.repository) || !isOwned(said.repository, settings)) return undefined;
      const read = await readOne(said.repository, said.before, signal);
      return { ...joined([read]), next: null, requests: host.requestCount() - before };
    },
  };
}

/** Repositories, and one of each other kind that was asked for. */
function sampleOf(items: readonly SourceItem[], kinds: readonly string[]): readonly SourceItem[] {
  const others = kinds.flatMap((kind) => items.find((item) => item.kind === kind) ?? []);
  const repositories = items.filter(({ kind }) => kind === 'repository');
  return [...repositories.slice(0, sampleMax - others.length), ...others];
}

function toUnknown(error: unknown): undefined {
  if (!(error instanceof RepositoryUnreadable)) throw error;
}

/** A webhook may tell of more than the source reads. */
function isOwned({ path }: ListedRepository, { owners }: GitSettings): boolean {
  const name = `${path}/`.toLowerCase();
  return owners.length === 0 || owners.some((owner) => name.startsWith(`${owner.toLowerCase()}/`));
}

function sinceOf({ mode, state }: PassStart): Date | undefined {
  const known = stateSchema.safeParse(state);
  return mode === 'changes' && known.success ? new Date(known.data.since) : undefined;
}

function joined(read: readonly ReadRepository[]) {
  const items: SourceItem[] = read.flatMap((each) => each.items);
  const problems: SourceProblem[] = read.flatMap((each) => each.problems);
  const gone: Tombstone[] = read.flatMap((each) => each.gone);
  const unread = read.flatMap((each) => each.unread);
  return { items, problems, gone, unread };
}

function lostAccess(key: string, path: string): ReadRepository {
  const message = `"${path}" may no longer be read; its entities stay as they are`;
  const problem: SourceProblem = { severity: 'warning', code: 'lost_access', message, item: key, place: null };
  return { items: [], problems: [problem], gone: [], unread: [key] };
}

function toTeamItem(host: GitHost, team: JqObject): SourceItem {
  const key = teamKey(host, String(team['organization']), String(team['id']));
  return { key, kind: 'team', document: { ...team, key, host: host.name } };
}

function teamKey(host: GitHost, organization: string, id: string): string {
  return `${host.name}/${organization}#team-${id}`;
}

function firstPageCheck(total: number) {
  if (total > 0) {
    const message = `${total} ${total === 1 ? 'repository' : 'repositories'} can be read`;
    return { name: 'first_page', state: 'passed', message } as const;
  }
  const fix = 'Add the organization to the owners, or give the token rights on its repositories.';
  return { name: 'first_page', state: 'warning', message: 'There is no repository to read', fix } as const;
}
