import type { SourceCheck } from '@portolan/contract/sources';
import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import { type ReaderPorts, SourceRefusal } from '../../source-type.ts';
import { type DatedRepository, type GitHost, type HostList, RepositoryUnreadable, type TreeFile } from '../git-host.ts';
import { createTransport, nextPage } from '../transport.ts';
import { gitLabActivity, readActivityEvent } from './gitlab-activity.ts';
import { commitSchema, eventSchema, projectSchema, toHead, toLanguages, toListed } from './gitlab-answers.ts';
import { checkToken, type GitLabHome, listGroups, registerHooks } from './gitlab-groups.ts';
import { firstPage, followPage, pageCursor } from './paged-list.ts';
import { readEach, readTotal } from './read-answers.ts';

export interface GitLabAccess {
  /** `https://gitlab.com`, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Groups with what is in them, users, and single projects; none for all that the token is a member of. */
  readonly owners: readonly string[];
}

/** Short, so that a page of a sync is. */
const pageSize = 20;
const treePageSize = 100;
/** Files of one repository that are looked at: 10,000. */
const treePagesMax = 100;
/** The host notes the activity of a project once an hour: what was pushed since may stand under an older moment. */
const activityLagMs = 60 * 60_000;
const treeSchema = z.array(z.looseObject({ path: z.string(), type: z.string() }));

/** GitLab.com, and a GitLab of one's own. */
export function openGitLab(access: GitLabAccess, ports: ReaderPorts): GitHost {
  const { owners, url } = access;
  const base = `${url}/api/v4`;
  const transport = createTransport(ports, {
    title: 'GitLab',
    origin: new URL(url).origin,
    concurrency: 10,
    authorize: async () => ({ authorization: `Bearer ${access.token}` }),
  });
  const get = (path: string, signal: AbortSignal, allows: readonly number[] = [], isFinal = false) =>
    transport.send(`${base}${path}`, { signal, allows, isFinal: () => isFinal });
  const homes = new Map<string, GitLabHome>();

  async function ofRepository(
    path: string,
    rest: string,
    signal: AbortSignal,
    allows: readonly number[] = [],
    isFinal = false,
  ) {
    const answer = await get(`/projects/${encodeURIComponent(path)}${rest}`, signal, [403, 404, ...allows], isFinal);
    if (answer.status === 403 || (answer.status === 404 && !allows.includes(404))) {
      throw new RepositoryUnreadable(path, answer.status);
    }
    return answer;
  }

  /** What a name means: a group, else a user, else one project. @throws SourceRefusal */
  async function homeOf(owner: string, signal: AbortSignal): Promise<GitLabHome> {
    const known = homes.get(owner);
    if (known) return known;
    const home = (await findHome(owner, signal)) ?? undefined;
    if (!home) throw unknownOwner(owner);
    homes.set(owner, home);
    return home;
  }

  async function findHome(owner: string, signal: AbortSignal): Promise<GitLabHome | undefined> {
    const name = encodeURIComponent(owner);
    const withId = z.looseObject({ id: z.number() });
    const group = await get(`/groups/${name}?with_projects=false`, signal, [403, 404]);
    if (group.status === 200) return { kind: 'group', id: withId.parse(JSON.parse(group.text)).id };
    if (owner.includes('/')) {
      const project = await get(`/projects/${name}`, signal, [403, 404]);
      if (project.status !== 200) return undefined;
      return { kind: 'project', id: withId.parse(JSON.parse(project.text)).id };
    }
    const users = await get(`/users?username=${name}`, signal, [403]);
    const [user] = users.status === 200 ? z.array(withId).parse(JSON.parse(users.text)) : [];
    return user && { kind: 'user', id: user.id };
  }

  async function listAddress(owner: string | undefined, page: number, since: Date | undefined, signal: AbortSignal) {
    const order = since ? 'order_by=last_activity_at&sort=desc' : 'order_by=id&sort=asc';
    const paging = `${order}&per_page=${pageSize}&page=${page}`;
    if (owner === undefined) return `/projects?membership=true&${paging}`;
    const { kind, id } = await homeOf(owner, signal);
    if (kind === 'group') return `/groups/${id}/projects?include_subgroups=true&with_shared=false&${paging}`;
    return kind === 'user' ? `/users/${id}/projects?${paging}` : `/projects/${id}`;
  }

  async function listRepositories(
    cursor: JqValue | null,
    since: Date | undefined,
    signal: AbortSignal,
  ): Promise<HostList<DatedRepository>> {
    const at = cursor === null ? firstPage : pageCursor.parse(cursor);
    const answer = await get(await listAddress(owners[at.owner], at.page, since, signal), signal);
    const parsed: unknown = JSON.parse(answer.text);
    const items = z
      .array(projectSchema)
      .parse(Array.isArray(parsed) ? parsed : [parsed])
      .map(toListed);
    const total = readTotal(answer.headers.get('x-total'));
    const oldest = since && new Date(since.getTime() - activityLagMs);
    const kept = oldest ? items.filter(({ updatedAt }) => updatedAt >= oldest) : items;
    const isLast = !nextPage(answer.headers) || kept.length < items.length;
    const next = followPage(at, { total, isLast, isSteady: !since, ownerCount: owners.length });
    return { items: kept, next, total };
  }

  /** @param path or the id of the project */
  async function findRepository(path: string, signal: AbortSignal): Promise<DatedRepository> {
    return toListed(projectSchema.parse(JSON.parse((await ofRepository(path, '', signal)).text)));
  }

  async function readTree(path: string, sha: string, recursive: boolean, signal: AbortSignal) {
    const files: TreeFile[] = [];
    let token = '';
    for (let page = 1; page <= treePagesMax; page += 1) {
      const rest = `/repository/tree?ref=${sha}&recursive=${recursive}&pagination=keyset&per_page=${treePageSize}${token}`;
      const answer = await ofRepository(path, rest, signal, [], true);
      for (const { path: file, type } of treeSchema.parse(JSON.parse(answer.text))) {
        if (type === 'blob') files.push({ path: file, bytes: 0 });
      }
      const next = nextPage(answer.headers)?.searchParams.get('page_token');
      if (!next) return { files, isTruncated: false };
      token = `&page_token=${encodeURIComponent(next)}`;
    }
    return { files, isTruncated: true };
  }

  return {
    name: new URL(url).host,
    dialect: 'gitlab',
    requestCount: transport.requestCount,
    listRepositories,
    async check(signal) {
      const checks: SourceCheck[] = [...(await checkToken(get, new URL(url).host, ports.now(), signal))];
      if (checks.every(({ state }) => state !== 'failed')) for (const owner of owners) await homeOf(owner, signal);
      return checks;
    },
    async describe(repository, signal) {
      if (repository.isEmpty) return { head: undefined, document: {} };
      const branch = encodeURIComponent(repository.defaultBranch);
      const [branchAnswer, languages] = await Promise.all([
        ofRepository(repository.path, `/repository/branches/${branch}`, signal),
        ofRepository(repository.path, '/languages', signal),
      ]);
      const { commit } = z.looseObject({ commit: commitSchema }).parse(JSON.parse(branchAnswer.text));
      const shares = z.record(z.string(), z.number()).parse(JSON.parse(languages.text));
      return { head: { sha: commit.id, document: toHead(commit) }, document: toLanguages(shares) };
    },
    async listTree(path, sha, signal) {
      const tree = await readTree(path, sha, true, signal);
      if (!tree.isTruncated) return tree;
      // folders come first there, and what most declare lies beside them
      const root = await readTree(path, sha, false, signal);
      const known = new Set(tree.files.map((file) => file.path));
      return { files: [...tree.files, ...root.files.filter((file) => !known.has(file.path))], isTruncated: true };
    },
    readFiles: (path, sha, files, signal) =>
      readEach(files, async (file) => {
        const rest = `/repository/files/${encodeURIComponent(file)}/raw?ref=${sha}`;
        const { status, text } = await ofRepository(path, rest, signal, [404], true);
        return status === 404 ? undefined : text;
      }),
    async headAt({ path, defaultBranch }, at, signal) {
      const rest = `/repository/commits?ref_name=${encodeURIComponent(defaultBranch)}&until=${at.toISOString()}&per_page=1`;
      const answer = await ofRepository(path, rest, signal);
      return z.array(commitSchema).parse(JSON.parse(answer.text))[0]?.id;
    },
    listTeams: (cursor, signal) => listGroups({ get, owners, homeOf }, cursor, signal),
    registerHook: (address, secret, signal) =>
      registerHooks({ get, owners, homeOf, send: transport.send, base }, address, secret, signal),
    addressesOf: (path, sha) => ({ page: `${url}/${path}/-/blob/${sha}`, raw: `${url}/${path}/-/raw/${sha}` }),
    activity: gitLabActivity({ owners, get, ofRepository, homeOf, findRepository }),
    async readEvent({ body }, signal) {
      const activity = readActivityEvent(body, findRepository);
      if (activity) return activity;
      const said = eventSchema.safeParse(body);
      if (!said.success) return undefined;
      const { project_id: id, ref, before } = said.data;
      const kind = said.data.object_kind ?? said.data.event_name ?? '';
      if (kind === 'project_destroy') return { kind: 'deleted', id: String(id), path: String(id) };
      if (!readKinds.has(kind)) return undefined;
      // the event tells less than the list
      const repository = await findRepository(String(id), signal);
      if (kind !== 'push') return { kind: 'changed', repository };
      if (ref !== `refs/heads/${repository.defaultBranch}`) return undefined;
      const isNew = !before || /^0+$/.test(before);
      return { kind: 'changed', repository, ...(isNew ? {} : { before }) };
    },
  };
}

const readKinds: ReadonlySet<string> = new Set([
  'push',
  'project_create',
  'project_rename',
  'project_transfer',
  'project_update',
]);

function unknownOwner(owner: string): SourceRefusal {
  return new SourceRefusal(
    'owner_not_found',
    `There is no group, user or project "${owner}", or the token may not see it`,
    'Correct the groups of the source, or give the token rights there.',
  );
}
