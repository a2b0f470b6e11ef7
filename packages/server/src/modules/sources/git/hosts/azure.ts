import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';
import { type ReaderPorts, SourceRefusal } from '../../source-type.ts';
import { type GitHost, type HostList, type ListedRepository, RepositoryUnreadable } from '../git-host.ts';
import { createTransport, type HostRequest } from '../transport.ts';
import { azureActivity, readActivityEvent } from './azure-activity.ts';
import {
  commitSchema,
  eventSchema,
  itemSchema,
  type Project,
  projectSchema,
  repositorySchema,
  toHead,
  toListed,
} from './azure-answers.ts';
import { registerHooks } from './azure-hooks.ts';
import { listTeams } from './azure-teams.ts';
import { readEach } from './read-answers.ts';

export interface AzureAccess {
  /** `https://dev.azure.com/acme`, or a collection of a server of one's own; without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Projects; none for all of the organization. */
  readonly owners: readonly string[];
}

/** The last one that was read: lists are read by id, so that nothing moves when one of them goes. */
const listCursor = z.object({ project: z.string(), after: z.string() });
const pageSize = 10;
const apiVersion = '7.0';
/** An expired token is answered with a page to sign in, or sent to one. */
const signIn = [203, 302];

const listOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ value: z.array(item) });

/** Azure DevOps Services, and an Azure DevOps Server. */
export function openAzure(access: AzureAccess, ports: ReaderPorts): GitHost {
  const { owners, url } = access;
  const authorization = `Basic ${Buffer.from(`:${access.token}`).toString('base64')}`;
  const transport = createTransport(ports, {
    title: 'Azure DevOps',
    origin: new URL(url).origin,
    concurrency: 4,
    refusesWith: signIn,
    authorize: async () => ({ authorization, accept: 'application/json', 'x-tfs-fedauthredirect': 'Suppress' }),
  });
  const send = (path: string, request: HostRequest) =>
    transport.send(`${url}${path}${path.includes('?') ? '&' : '?'}api-version=${apiVersion}`, request);
  let known: readonly Project[] | undefined;
  const repositories = new Map<string, readonly ListedRepository[]>();

  async function ofRepository(
    path: string,
    rest: string,
    signal: AbortSignal,
    allows: readonly number[] = [],
    isFinal = false,
  ) {
    const [project = '', name = ''] = path.split('/').map(encodeURIComponent);
    const answer = await send(`/${project}/_apis/git/repositories/${name}${rest}`, {
      signal,
      allows: [403, 404, ...allows],
      isFinal: () => isFinal,
    });
    if (answer.status === 403 || (answer.status === 404 && !allows.includes(404))) {
      throw new RepositoryUnreadable(path, answer.status);
    }
    return answer;
  }

  /** @param path names, or their ids */
  async function findRepository(path: string, signal: AbortSignal): Promise<ListedRepository> {
    return toListed(repositorySchema.parse(JSON.parse((await ofRepository(path, '', signal)).text)));
  }

  async function projects(signal: AbortSignal): Promise<readonly Project[]> {
    known ??= (await (owners.length > 0 ? namedProjects(signal) : allProjects(signal))).toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    return known;
  }

  async function namedProjects(signal: AbortSignal): Promise<Project[]> {
    const found = [];
    for (const owner of owners) {
      const answer = await send(`/_apis/projects/${encodeURIComponent(owner)}`, { signal, allows: [403, 404] });
      if (answer.status !== 200) throw unknownOwner(owner);
      found.push(projectSchema.parse(JSON.parse(answer.text)));
    }
    return found;
  }

  async function allProjects(signal: AbortSignal): Promise<Project[]> {
    const found: Project[] = [];
    for (let token: string | null = ''; token !== null; ) {
      const rest = token ? `&continuationToken=${encodeURIComponent(token)}` : '';
      const answer = await send(`/_apis/projects?stateFilter=wellFormed&$top=100${rest}`, { signal });
      found.push(...listOf(projectSchema).parse(JSON.parse(answer.text)).value);
      token = answer.headers.get('x-ms-continuationtoken');
    }
    return found;
  }

  /** All of a project, by id: the host gives them at once. */
  async function ofProject({ id }: Project, signal: AbortSignal): Promise<readonly ListedRepository[]> {
    const read = repositories.get(id);
    if (read) return read;
    const answer = await send(`/${id}/_apis/git/repositories`, { signal });
    const listed = listOf(repositorySchema).parse(JSON.parse(answer.text)).value.map(toListed);
    const sorted = listed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    repositories.set(id, sorted);
    return sorted;
  }

  /** The host notes no moment of change: it is asked for pushes of each. */
  async function wasPushed(repository: ListedRepository, since: Date, signal: AbortSignal): Promise<boolean> {
    if (repository.isEmpty) return false;
    const rest = `/pushes?searchCriteria.fromDate=${since.toISOString()}&$top=1`;
    try {
      const answer = await ofRepository(repository.path, rest, signal);
      return listOf(z.unknown()).parse(JSON.parse(answer.text)).value.length > 0;
    } catch (error) {
      // reading it says so
      if (error instanceof RepositoryUnreadable) return true;
      throw error;
    }
  }

  async function listRepositories(
    cursor: JqValue | null,
    since: Date | undefined,
    signal: AbortSignal,
  ): Promise<HostList<ListedRepository>> {
    const all = await projects(signal);
    const at = cursor === null ? { project: '', after: '' } : listCursor.parse(cursor);
    const index = all.findIndex(({ id }) => id >= at.project);
    const project = all[index];
    if (!project) return { items: [], next: null, total: null };
    const inProject = await ofProject(project, signal);
    const rest = inProject.filter(({ id }) => project.id !== at.project || id > at.after);
    const page = rest.slice(0, pageSize);
    const following = all[index + 1];
    const last = page.at(-1);
    const next =
      rest.length > page.length && last
        ? { project: project.id, after: last.id }
        : following
          ? { project: following.id, after: '' }
          : null;
    const moved = since ? await Promise.all(page.map((each) => wasPushed(each, since, signal))) : undefined;
    const items = moved ? page.filter((_, place) => moved[place]) : page;
    return { items, next, total: all.length === 1 ? inProject.length : null };
  }

  async function readCommit({ path, defaultBranch }: ListedRepository, more: string, signal: AbortSignal) {
    const branch = `searchCriteria.itemVersion.versionType=branch&searchCriteria.itemVersion.version=${encodeURIComponent(defaultBranch)}`;
    const answer = await ofRepository(path, `/commits?${branch}&searchCriteria.$top=1${more}`, signal);
    return listOf(commitSchema).parse(JSON.parse(answer.text)).value[0];
  }

  async function readTree(path: string, sha: string, recursion: 'Full' | 'OneLevel', signal: AbortSignal) {
    const rest = `/items?scopePath=/&recursionLevel=${recursion}&${atCommit(sha)}`;
    const { value } = listOf(itemSchema).parse(JSON.parse((await ofRepository(path, rest, signal, [], true)).text));
    return value
      .filter(({ gitObjectType }) => gitObjectType === 'blob')
      .map((item) => ({ path: item.path.replace(/^\//, ''), bytes: 0 }));
  }

  const context = { send, projects };
  return {
    name: new URL(url).host,
    // it has no rules of its own for CODEOWNERS
    dialect: 'github',
    requestCount: transport.requestCount,
    listRepositories,
    async check(signal) {
      const { length } = await projects(signal);
      const message = `The token is accepted, and sees ${length} ${length === 1 ? 'project' : 'projects'}`;
      return [{ name: 'credentials', state: 'passed', message }];
    },
    async describe(repository, signal) {
      const commit = repository.isEmpty ? undefined : await readCommit(repository, '', signal);
      return { head: commit && { sha: commit.commitId, document: toHead(commit) }, document: {} };
    },
    async listTree(path, sha, signal) {
      try {
        return { files: await readTree(path, sha, 'Full', signal), isTruncated: false };
      } catch (error) {
        if (!(error instanceof OutgoingFailure) || error.kind !== 'too_large') throw error;
        return { files: await readTree(path, sha, 'OneLevel', signal), isTruncated: true };
      }
    },
    readFiles: (path, sha, files, signal) =>
      readEach(files, async (file) => {
        const rest = `/items?path=${encodeURIComponent(`/${file}`)}&includeContent=true&$format=json&${atCommit(sha)}`;
        const { status, text } = await ofRepository(path, rest, signal, [404], true);
        return status === 404 ? undefined : (itemSchema.parse(JSON.parse(text)).content ?? undefined);
      }),
    async headAt(repository, at, signal) {
      const commit = await readCommit(repository, `&searchCriteria.toDate=${at.toISOString()}`, signal);
      return commit?.commitId;
    },
    listTeams: (cursor, signal) => listTeams(context, cursor, signal),
    registerHook: (address, secret, signal) => registerHooks(context, owners.length > 0, address, secret, signal),
    addressesOf(path, sha) {
      const [project = '', name = ''] = path.split('/').map(encodeURIComponent);
      return {
        page: `${url}/${project}/_git/${name}?version=GC${sha}&path=`,
        raw: `${url}/${project}/_apis/git/repositories/${name}/items?${atCommit(sha)}&path=`,
      };
    },
    activity: azureActivity({ url, ...context, ofRepository, findRepository }),
    async readEvent({ body }, signal) {
      const activity = readActivityEvent({ send, findRepository }, body);
      if (activity) return activity;
      const said = eventSchema.safeParse(body);
      if (!said.success || said.data.eventType !== 'git.push') return undefined;
      const { refUpdates, repository: pushed } = said.data.resource;
      // by their ids, which names may not be any more
      const repository = await findRepository(`${pushed.project.id}/${pushed.id}`, signal);
      const update = refUpdates?.find(({ name }) => name === `refs/heads/${repository.defaultBranch}`);
      if (!update) return undefined;
      const isNew = !update.oldObjectId || /^0+$/.test(update.oldObjectId);
      return { kind: 'changed', repository, ...(isNew ? {} : { before: update.oldObjectId ?? '' }) };
    },
  };
}

function atCommit(sha: string): string {
  return `versionDescriptor.versionType=commit&versionDescriptor.version=${sha}`;
}

function unknownOwner(owner: string): SourceRefusal {
  return new SourceRefusal(
    'owner_not_found',
    `There is no project "${owner}", or the token may not see it`,
    'Correct the projects of the source, or give the token rights there.',
  );
}
