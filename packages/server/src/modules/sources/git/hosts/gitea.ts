import type { SourceCheck } from '@portolan/contract/sources';
import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import { type ReaderPorts, SourceRefusal } from '../../source-type.ts';
import { type GitHost, type HostList, type ListedRepository, RepositoryUnreadable } from '../git-host.ts';
import { createTransport, nextPage } from '../transport.ts';
import { giteaActivity } from './gitea-activity.ts';
import { commitSchema, readGiteaEvent, repositorySchema, toHead, toListed } from './gitea-answers.ts';
import { firstPage, followPage, pageCursor } from './paged-list.ts';
import { encodePath, readEach, readTotal } from './read-answers.ts';

export interface GiteaAccess {
  /** `https://git.acme.example`, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Organizations and users; none for all that the token sees. */
  readonly owners: readonly string[];
}

const treeSchema = z.looseObject({
  truncated: z.boolean().nullish(),
  total_count: z.number().nullish(),
  tree: z.array(z.looseObject({ path: z.string(), type: z.string(), size: z.number().nullish() })).nullable(),
});
const hookSchema = z.looseObject({ id: z.number(), config: z.record(z.string(), z.string()) });
/** Below the host's own 50, so that a page of a sync is short. */
const pageSize = 20;
const treePageSize = 1_000;
/** Files of one repository that are looked at. */
const treePagesMax = 100;
const hookEvents = ['push', 'repository', 'pull_request', 'release', 'workflow_run'];

/** Gitea and Forgejo, which have the same interface. */
export function openGitea(access: GiteaAccess, ports: ReaderPorts): GitHost {
  const { owners, token } = access;
  const base = `${access.url}/api/v1`;
  const transport = createTransport(ports, {
    title: 'Gitea',
    origin: new URL(access.url).origin,
    concurrency: 8,
    authorize: async () => ({ authorization: `token ${token}` }),
  });
  const get = (path: string, signal: AbortSignal, allows: readonly number[] = [], isFinal = false) =>
    transport.send(`${base}${path}`, { signal, allows, isFinal: () => isFinal });
  const ownerIds = new Map<string, number>();

  async function ofRepository(
    path: string,
    rest: string,
    signal: AbortSignal,
    allows: readonly number[] = [],
    isFinal = false,
  ) {
    const answer = await get(`/repos/${encodePath(path)}${rest}`, signal, [403, 404, ...allows], isFinal);
    if (answer.status === 403 || (answer.status === 404 && !allows.includes(404))) {
      throw new RepositoryUnreadable(path, answer.status);
    }
    return answer;
  }

  async function findRepository(path: string, signal: AbortSignal): Promise<ListedRepository> {
    return toListed(repositorySchema.parse(JSON.parse((await ofRepository(path, '', signal)).text)));
  }

  async function ownerId(owner: string, signal: AbortSignal): Promise<number> {
    const known = ownerIds.get(owner);
    if (known !== undefined) return known;
    const answer = await get(`/users/${encodeURIComponent(owner)}`, signal, [404]);
    if (answer.status === 404) throw unknownOwner(owner);
    const { id } = z.looseObject({ id: z.number() }).parse(JSON.parse(answer.text));
    ownerIds.set(owner, id);
    return id;
  }

  async function listRepositories(
    cursor: JqValue | null,
    since: Date | undefined,
    signal: AbortSignal,
  ): Promise<HostList<ListedRepository>> {
    const at = cursor === null ? firstPage : pageCursor.parse(cursor);
    const owner = owners[at.owner];
    const filter = owner === undefined ? '' : `&uid=${await ownerId(owner, signal)}&exclusive=true`;
    const order = since ? 'sort=updated&order=desc' : 'sort=id&order=asc';
    const answer = await get(`/repos/search?${order}&limit=${pageSize}&page=${at.page}${filter}`, signal);
    const { data } = z.looseObject({ data: z.array(repositorySchema) }).parse(JSON.parse(answer.text));
    const items = data.map(toListed);
    const total = readTotal(answer.headers.get('x-total-count'));
    const isOver = since !== undefined && items.some(({ updatedAt }) => updatedAt < since);
    const kept = since ? items.filter(({ updatedAt }) => updatedAt >= since) : items;
    const isLast = !nextPage(answer.headers) || isOver;
    const next = followPage(at, { total, isLast, isSteady: !since, ownerCount: owners.length });
    return { items: kept, next, total };
  }

  return {
    name: new URL(access.url).host,
    dialect: 'gitea',
    requestCount: transport.requestCount,
    listRepositories,
    async check(signal) {
      const version = z.looseObject({ version: z.string() }).parse(JSON.parse((await get('/version', signal)).text));
      const checks: SourceCheck[] = [
        { name: 'address', state: 'passed', message: `${new URL(access.url).host} runs version ${version.version}` },
      ];
      const answer = await get('/repos/search?limit=1', signal, [403]);
      if (answer.status === 403) {
        const fix = 'Give the token "Read" for repository, organization and user.';
        return [...checks, { name: 'scopes', state: 'failed', message: 'The token may not list repositories', fix }];
      }
      checks.push({ name: 'credentials', state: 'passed', message: 'The token is accepted' });
      for (const owner of owners) await ownerId(owner, signal);
      return checks;
    },
    async describe(repository, signal) {
      if (repository.isEmpty) return { head: undefined, document: {} };
      const branch = encodeURIComponent(repository.defaultBranch);
      const [branchAnswer, languages] = await Promise.all([
        ofRepository(repository.path, `/branches/${branch}`, signal),
        ofRepository(repository.path, '/languages', signal),
      ]);
      const { commit } = z.looseObject({ commit: commitSchema }).parse(JSON.parse(branchAnswer.text));
      const bytes = z.record(z.string(), z.number()).parse(JSON.parse(languages.text));
      return {
        head: { sha: commit.id, document: toHead(commit) },
        // empty until the host has counted: absent, not cleared
        document: Object.keys(bytes).length > 0 ? { languages: toShares(bytes) } : {},
      };
    },
    async listTree(path, sha, signal) {
      const files = [];
      let seen = 0;
      for (let page = 1; page <= treePagesMax; page += 1) {
        const rest = `/git/trees/${sha}?recursive=true&per_page=${treePageSize}&page=${page}`;
        const answer = treeSchema.parse(JSON.parse((await ofRepository(path, rest, signal, [], true)).text));
        const tree = answer.tree ?? [];
        seen += tree.length;
        for (const each of tree) {
          if (each.type === 'blob') files.push({ path: each.path, bytes: each.size ?? 0 });
        }
        const isWhole = answer.total_count == null ? !answer.truncated : seen >= answer.total_count;
        if (isWhole) return { files, isTruncated: false };
        if (tree.length === 0) break;
      }
      return { files, isTruncated: true };
    },
    async readFiles(path, sha, files, signal) {
      return readEach(files, async (file) => {
        const rest = `/raw/${encodePath(file)}?ref=${sha}`;
        const { status, text } = await ofRepository(path, rest, signal, [404], true);
        return status === 404 ? undefined : text;
      });
    },
    async headAt({ path, defaultBranch }, at, signal) {
      const rest = `/commits?sha=${encodeURIComponent(defaultBranch)}&until=${at.toISOString()}&limit=1&stat=false&verification=false&files=false`;
      const answer = await ofRepository(path, rest, signal, [404, 409]);
      if (answer.status !== 200) return undefined;
      const [commit] = z.array(z.looseObject({ sha: z.string() })).parse(JSON.parse(answer.text));
      return commit?.sha;
    },
    async listTeams(cursor, signal) {
      const at = cursor === null ? firstPage : pageCursor.parse(cursor);
      const owner = owners[at.owner];
      if (owner === undefined) return { items: [], next: null, total: null };
      const following = at.owner + 1 < owners.length ? { ...firstPage, owner: at.owner + 1 } : null;
      const answer = await get(`/orgs/${encodeURIComponent(owner)}/teams?limit=50&page=${at.page}`, signal, [403, 404]);
      // a person has no teams, and who is no member sees none
      if (answer.status !== 200) return { items: [], next: following, total: null, unreadable: owner };
      const teams = z.array(z.looseObject({ id: z.number(), name: z.string() })).parse(JSON.parse(answer.text));
      const items = await Promise.all(teams.map((team) => toTeam(owner, team, signal)));
      const next = nextPage(answer.headers) ? { ...at, page: at.page + 1 } : following;
      return { items, next, total: null };
    },
    async registerHook(address, secret, signal) {
      const config = { url: address, content_type: 'json', secret };
      const body = { type: 'gitea', config, events: hookEvents, active: true };
      for (const owner of owners) {
        const hooks = `/orgs/${encodeURIComponent(owner)}/hooks`;
        const present = await get(`${hooks}?limit=50`, signal, [403, 404]);
        // a person has no hooks for all repositories
        if (present.status === 404) return false;
        if (present.status === 403) throw hookRefused(owner);
        const known = z.array(hookSchema).parse(JSON.parse(present.text));
        const ours = known.find((hook) => hook.config['url'] === address);
        // a secret cannot be changed there, only made anew
        if (ours) await transport.send(`${base}${hooks}/${ours.id}`, { method: 'DELETE', allows: [404], signal });
        const answer = await transport.send(`${base}${hooks}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          allows: [403],
          signal,
        });
        if (answer.status === 403) throw hookRefused(owner);
      }
      return owners.length > 0;
    },
    addressesOf: (path, sha) => ({
      page: `${access.url}/${encodePath(path)}/src/commit/${sha}`,
      raw: `${access.url}/${encodePath(path)}/raw/commit/${sha}`,
    }),
    readEvent: readGiteaEvent,
    activity: giteaActivity({ owners, get, ofRepository, findRepository }),
  };

  async function toTeam(owner: string, team: { id: number; name: string }, signal: AbortSignal): Promise<JqObject> {
    const members: JqValue[] = [];
    for (let page = 1, isMore = true; isMore; page += 1) {
      const answer = await get(`/teams/${team.id}/members?limit=50&page=${page}`, signal, [403, 404]);
      if (answer.status !== 200) break;
      const people = z.array(
        z.looseObject({ login: z.string(), email: z.string().nullish(), full_name: z.string().nullish() }),
      );
      for (const { login, email, full_name } of people.parse(JSON.parse(answer.text))) {
        members.push({ login, email: email || null, name: full_name || login });
      }
      isMore = nextPage(answer.headers) !== undefined;
    }
    const { name } = team;
    return { id: String(team.id), organization: owner, slug: name.toLowerCase(), name, members, raw: team as JqObject };
  }
}

function toShares(bytes: Readonly<Record<string, number>>): JqObject {
  const total = Object.values(bytes).reduce((sum, each) => sum + each, 0) || 1;
  return Object.fromEntries(
    Object.entries(bytes).map(([name, each]) => [name, Math.round((each / total) * 1000) / 10]),
  );
}

function hookRefused(owner: string): SourceRefusal {
  return new SourceRefusal(
    'hook_refused',
    `The token may not make a webhook for "${owner}", so changes are found by the schedule only`,
    'Give the token "Read and write" for organization, or make the webhook by hand with the address of the source.',
  );
}

function unknownOwner(owner: string): SourceRefusal {
  return new SourceRefusal(
    'owner_not_found',
    `There is no organization or user "${owner}", or the token may not see it`,
    'Correct the owners of the source, or give the token rights on that organization.',
  );
}
