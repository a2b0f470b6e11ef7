import type { SourceCheck } from '@portolan/contract/sources';
import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import { type ReaderPorts, SourceRefusal } from '../../source-type.ts';
import { type GitHost, type ListedRepository, RepositoryUnreadable } from '../git-host.ts';
import { createTransport, nextPage } from '../transport.ts';
import { gitHubActivity } from './github-activity.ts';
import {
  detailsQuery,
  detailsSchema,
  readGitHubEvent,
  repositorySchema,
  toDetails,
  toListed,
} from './github-answers.ts';
import { accepts, authorizeGitHub, type GitHubCredentials } from './github-credentials.ts';
import { encodePath } from './read-answers.ts';
import { findMovedUp, readPage } from './second-look.ts';

export interface GitHubAccess {
  /** `https://github.com`, or the address of an Enterprise Server. */
  readonly url: string;
  readonly credentials: GitHubCredentials;
  /** Organizations and users; none for all that the token may read. */
  readonly owners: readonly string[];
}

const listCursor = z.object({
  owner: z.number(),
  page: z.string().nullable(),
  /** The page before, where the list is read whole. */
  before: readPage.nullable().default(null),
  restarts: z.number().default(0),
});
type ListCursor = Readonly<z.output<typeof listCursor>>;
const firstOf = (owner: number): ListCursor => ({ owner, page: null, before: null, restarts: 0 });
/** Short pages of a sync, which cost the host no more. */
const pageSize = 25;
const restartsMax = 3;
const filesPerQuery = 50;
const hookEvents = ['push', 'repository', 'pull_request', 'release', 'workflow_run'];
const treeSchema = z.looseObject({
  truncated: z.boolean().nullish(),
  tree: z.array(z.looseObject({ path: z.string(), type: z.string(), size: z.number().nullish() })),
});
const blobSchema = z.looseObject({ text: z.string().nullish(), isTruncated: z.boolean().nullish() }).nullish();

export function openGitHub(access: GitHubAccess, ports: ReaderPorts): GitHost {
  const { owners, url } = access;
  const isPublic = new URL(url).host === 'github.com';
  const api = isPublic ? 'https://api.github.com' : `${url}/api/v3`;
  const graphql = isPublic ? 'https://api.github.com/graphql' : `${url}/api/graphql`;
  const transport = createTransport(ports, {
    title: 'GitHub',
    origin: new URL(api).origin,
    concurrency: 8,
    authorize: authorizeGitHub(api, access.credentials, ports),
  });
  const get = (address: string, signal: AbortSignal, allows: readonly number[] = [], isFinal = false) => {
    const url = address.startsWith('http') ? address : `${api}${address}`;
    return transport.send(url, { headers: accepts, signal, allows, isFinal: () => isFinal });
  };

  async function ofRepository(
    path: string,
    rest: string,
    signal: AbortSignal,
    allows: readonly number[] = [],
    isFinal = false,
  ) {
    const answer = await get(`/repos/${encodePath(path)}${rest}`, signal, [403, 404, 451, ...allows], isFinal);
    if ([403, 404, 451].includes(answer.status)) throw new RepositoryUnreadable(path, answer.status);
    return answer;
  }

  async function nextOf(path: string, address: string, signal: AbortSignal) {
    const answer = await get(address, signal, [403, 404, 451]);
    if (answer.status !== 200) throw new RepositoryUnreadable(path, answer.status);
    return answer;
  }

  async function findRepository(path: string, signal: AbortSignal): Promise<ListedRepository> {
    return toListed(repositorySchema.parse(JSON.parse((await ofRepository(path, '', signal)).text)));
  }

  /** The part `repository` of an answer; what the host says it may not show is unreadable. */
  async function query(
    path: string,
    text: string,
    variables: JqObject,
    signal: AbortSignal,
    isOfCommit = false,
  ): Promise<unknown> {
    const body = JSON.stringify({ query: text, variables });
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body, signal } as const;
    const final = isOfCommit ? { isFinal: (told: string) => !told.includes('"errors"') } : {};
    const { text: answer } = await transport.send(graphql, { ...request, ...final });
    const { data, errors } = z
      .looseObject({
        data: z.looseObject({ repository: z.unknown() }).nullish(),
        errors: z.array(z.looseObject({ type: z.string().nullish(), message: z.string() })).nullish(),
      })
      .parse(JSON.parse(answer));
    const [error] = errors ?? [];
    if (data?.repository) return data.repository;
    if (!error || error.type === 'NOT_FOUND' || error.type === 'FORBIDDEN') throw new RepositoryUnreadable(path, 404);
    throw new Error(`GitHub could not answer a query: ${error.message}`);
  }

  function firstPage(owner: string | undefined, since: Date | undefined): string {
    const order = since ? 'sort=pushed&direction=desc' : 'sort=full_name&direction=asc';
    if (!('token' in access.credentials)) return `/installation/repositories?per_page=${pageSize}`;
    if (owner === undefined) return `/user/repos?per_page=${pageSize}&${order}`;
    return `/orgs/${encodeURIComponent(owner)}/repos?per_page=${pageSize}&${order}`;
  }

  async function readList(at: ListCursor, since: Date | undefined, signal: AbortSignal) {
    const owner = owners[at.owner];
    const answer = await get(at.page ?? firstPage(owner, since), signal, at.page === null ? [404] : []);
    if (answer.status !== 404) return answer;
    // an owner may be a person, whose repositories have another address
    const ofPerson = `/users/${encodeURIComponent(owner ?? '')}/repos?per_page=${pageSize}`;
    const order = since ? 'sort=pushed&direction=desc' : 'sort=full_name&direction=asc';
    const person = await get(`${ofPerson}&${order}`, signal, [404]);
    if (person.status === 404) throw unknownOwner(owner ?? '');
    return person;
  }

  async function readItems(at: ListCursor, since: Date | undefined, signal: AbortSignal) {
    const answer = await readList(at, since, signal);
    const parsed: unknown = JSON.parse(answer.text);
    // an installation wraps its list
    const wrapped = z
      .looseObject({ total_count: z.number(), repositories: z.array(repositorySchema) })
      .safeParse(parsed);
    return {
      items: (wrapped.success ? wrapped.data.repositories : z.array(repositorySchema).parse(parsed)).map(toListed),
      isWrapped: wrapped.success,
      total: wrapped.success ? wrapped.data.total_count : null,
      next: nextPage(answer.headers)?.href ?? null,
    };
  }

  return {
    name: new URL(url).host,
    dialect: 'github',
    requestCount: transport.requestCount,
    async check(signal) {
      const answer = await get('/rate_limit', signal, [404]);
      const checks: SourceCheck[] = [
        { name: 'credentials', state: 'passed', message: 'GitHub accepts the credentials' },
      ];
      // an Enterprise Server without limits does not know the question
      if (answer.status === 404) return checks;
      const rate = z.looseObject({ rate: z.looseObject({ limit: z.number(), remaining: z.number() }) });
      const { limit, remaining } = rate.parse(JSON.parse(answer.text)).rate;
      const message = `${remaining} of ${limit} requests are left in this hour`;
      return [...checks, { name: 'rate_limit', state: remaining < limit / 4 ? 'warning' : 'passed', message }];
    },
    async listRepositories(cursor, since, signal) {
      const at: ListCursor = cursor === null ? firstOf(0) : listCursor.parse(cursor);
      const { items, isWrapped, total, next } = await readItems(at, since, signal);
      // looked at after this page, from which others may have moved up to it meanwhile
      const again = at.before && (await readItems({ ...at, page: at.before.page }, since, signal));
      const moved = at.before && again ? findMovedUp(at.before, again.items) : [];
      if (!moved) {
        if (at.restarts === restartsMax) throw new Error('Repositories are deleted faster than they can be listed');
        return { items, next: { ...firstOf(at.owner), restarts: at.restarts + 1 }, total };
      }
      const isOver = since !== undefined && !isWrapped && items.some(({ updatedAt }) => updatedAt < since);
      const before = since ? null : { page: at.page, ids: items.map(({ id }) => id) };
      const following = at.owner + 1 < owners.length && !isWrapped ? firstOf(at.owner + 1) : null;
      return {
        items: since ? items.filter(({ updatedAt }) => updatedAt >= since) : [...moved, ...items],
        next: next !== null && !isOver ? { ...at, before, page: next } : following,
        total,
      };
    },
    async describe(repository, signal) {
      const [owner = '', name = ''] = repository.path.split('/');
      const answer = await query(repository.path, detailsQuery, { owner, name }, signal);
      return toDetails(detailsSchema.parse(answer));
    },
    async listTree(path, sha, signal) {
      const { text, status } = await ofRepository(path, `/git/trees/${sha}?recursive=1`, signal, [409], true);
      if (status === 409) return { files: [], isTruncated: false };
      const { tree, truncated } = treeSchema.parse(JSON.parse(text));
      const files = tree
        .filter(({ type }) => type === 'blob')
        .map((each) => ({ path: each.path, bytes: each.size ?? 0 }));
      return { files, isTruncated: truncated === true };
    },
    async readFiles(path, sha, files, signal) {
      const [owner = '', name = ''] = path.split('/');
      const read = new Map<string, string>();
      for (let from = 0; from < files.length; from += filesPerQuery) {
        const some = files.slice(from, from + filesPerQuery);
        const variables = Object.fromEntries(some.map((file, index) => [`f${index}`, `${sha}:${file}`]));
        const declared = some.map((_, index) => `, $f${index}: String!`).join('');
        const asked = some.map(
          (_, index) => `f${index}: object(expression: $f${index}) { ... on Blob { text isTruncated } }`,
        );
        const text = `query ($owner: String!, $name: String!${declared}) { repository(owner: $owner, name: $name) { ${asked.join(' ')} } }`;
        const answer = z.looseObject({}).parse(await query(path, text, { owner, name, ...variables }, signal, true));
        for (const [index, file] of some.entries()) {
          const blob = blobSchema.parse(answer[`f${index}`]);
          if (blob?.text != null && !blob.isTruncated) read.set(file, blob.text);
        }
      }
      return read;
    },
    async headAt({ path, defaultBranch }, at, signal) {
      const rest = `/commits?sha=${encodeURIComponent(defaultBranch)}&until=${at.toISOString()}&per_page=1`;
      const answer = await ofRepository(path, rest, signal, [409]);
      if (answer.status !== 200) return undefined;
      return z.array(z.looseObject({ sha: z.string() })).parse(JSON.parse(answer.text))[0]?.sha;
    },
    async listTeams(cursor, signal) {
      const at: ListCursor = cursor === null ? firstOf(0) : listCursor.parse(cursor);
      const owner = owners[at.owner];
      if (owner === undefined) return { items: [], next: null, total: null };
      const following = at.owner + 1 < owners.length ? firstOf(at.owner + 1) : null;
      const answer = await get(
        at.page ?? `/orgs/${encodeURIComponent(owner)}/teams?per_page=${pageSize}`,
        signal,
        [403, 404],
      );
      if (answer.status !== 200) return { items: [], next: following, total: null, unreadable: owner };
      const teamSchema = z.looseObject({ id: z.number(), name: z.string(), slug: z.string() });
      const teams = z.array(teamSchema).parse(JSON.parse(answer.text));
      const items = await Promise.all(teams.map((team) => toTeam(owner, team, signal)));
      const page = nextPage(answer.headers)?.href ?? null;
      return { items, next: page === null ? following : { owner: at.owner, page }, total: null };
    },
    async registerHook(address, secret, signal) {
      // an App has a webhook of its own, for all that it is installed in
      if (!('token' in access.credentials)) return false;
      const config = { url: address, content_type: 'json', secret };
      const body = JSON.stringify({ name: 'web', active: true, events: hookEvents, config });
      for (const owner of owners) {
        const hooks = `/orgs/${encodeURIComponent(owner)}/hooks`;
        const present = await get(`${hooks}?per_page=100`, signal, [403, 404]);
        // also who may not know of hooks gets 404
        if (present.status !== 200) throw hookRefused(owner);
        const hookSchema = z.looseObject({ id: z.number(), config: z.looseObject({ url: z.string().nullish() }) });
        const ours = z
          .array(hookSchema)
          .parse(JSON.parse(present.text))
          .find((hook) => hook.config.url === address);
        const target = `${api}${hooks}${ours ? `/${ours.id}` : ''}`;
        await transport.send(target, { method: ours ? 'PATCH' : 'POST', headers: accepts, body, signal });
      }
      return owners.length > 0;
    },
    addressesOf: (path, sha) => ({
      page: `${url}/${encodePath(path)}/blob/${sha}`,
      raw: `${url}/${encodePath(path)}/raw/${sha}`,
    }),
    readEvent: readGitHubEvent,
    activity: gitHubActivity({ owners, get, ofRepository, nextOf, findRepository }),
  };

  async function toTeam(owner: string, team: { id: number; name: string; slug: string }, signal: AbortSignal) {
    const members: JqValue[] = [];
    const first = `/orgs/${encodeURIComponent(owner)}/teams/${encodeURIComponent(team.slug)}/members?per_page=100`;
    for (let page: string | undefined = first; page !== undefined; ) {
      const answer = await get(page, signal, [403, 404]);
      if (answer.status !== 200) break;
      const people = z.array(z.looseObject({ login: z.string() })).parse(JSON.parse(answer.text));
      // the host tells addresses to nobody but their owners
      for (const { login } of people) members.push({ login, email: null, name: login });
      page = nextPage(answer.headers)?.href;
    }
    return {
      id: String(team.id),
      organization: owner,
      slug: team.slug,
      name: team.name,
      members,
      raw: team as JqObject,
    };
  }
}

function hookRefused(owner: string): SourceRefusal {
  return new SourceRefusal(
    'hook_refused',
    `The token may not make a webhook for "${owner}", so changes are found by the schedule only`,
    'Give the token rights on webhooks of the organization, or make the webhook by hand with the address of the source.',
  );
}

function unknownOwner(owner: string): SourceRefusal {
  return new SourceRefusal(
    'owner_not_found',
    `There is no organization or user "${owner}", or the credentials may not see it`,
    'Correct the owners of the source, or give the credentials rights on that organization.',
  );
}
