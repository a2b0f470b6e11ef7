import type { SourceCheck } from '@portolan/contract/sources';
import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import { type ReaderPorts, SourceRefusal } from '../../source-type.ts';
import { type DatedRepository, type GitHost, type HostList, RepositoryUnreadable, type TreeFile } from '../git-host.ts';
import { createTransport } from '../transport.ts';
import { bitbucketActivity, readActivityEvent } from './bitbucket-activity.ts';
import {
  commitSchema,
  eventSchema,
  pageSchema,
  readId,
  repositorySchema,
  toHead,
  toListed,
} from './bitbucket-answers.ts';
import { registerHook } from './bitbucket-hooks.ts';
import { firstPage, followPage, pageCursor } from './paged-list.ts';
import { encodePath, readEach } from './read-answers.ts';

export interface BitbucketAccess {
  readonly token: string;
  /** With the token of a person: their address or name. Without, it is the token of a workspace or repository. */
  readonly user?: string | undefined;
  /** Workspaces, and single repositories as `acme/payments`. */
  readonly owners: readonly string[];
  /** How many lists of activity are read of each repository. */
  readonly activityLists: number;
}

const origin = 'https://api.bitbucket.org';
const web = 'https://bitbucket.org';
const base = `${origin}/2.0`;
/** A page of a sync has to fit into what the host gives in a while, or it would begin again for ever. */
const pageSize = 5;
const treePageSize = 100;
/** Files of one repository that are looked at: 5,000, those at the top first. */
const treePagesMax = 50;
const treeDepth = 20;
const commitPagesMax = 3;
/** Of a rolling hour: after a quarter enough is free for some pages. */
const unknownLimitMs = 15 * 60_000;
const requestsPerRepository = 6;
const hourlyLimit = 1_000;
/** Too large a tree for the time that the host allows itself. */
const tooSlow = 555;

export function openBitbucket(access: BitbucketAccess, ports: ReaderPorts): GitHost {
  const { owners, token, user } = access;
  const authorization = user ? `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` : `Bearer ${token}`;
  const transport = createTransport(ports, {
    title: 'Bitbucket',
    origin,
    concurrency: 2,
    unknownLimitMs,
    authorize: async () => ({ authorization }),
  });
  const get = (path: string, signal: AbortSignal, allows: readonly number[] = [], isFinal = false) =>
    transport.send(`${base}${path}`, { signal, allows, isFinal: () => isFinal });

  async function ofRepository(
    path: string,
    rest: string,
    signal: AbortSignal,
    allows: readonly number[] = [],
    isFinal = false,
  ) {
    const answer = await get(`/repositories/${encodePath(path)}${rest}`, signal, [403, 404, ...allows], isFinal);
    if (answer.status === 403 || (answer.status === 404 && !allows.includes(404))) {
      throw new RepositoryUnreadable(path, answer.status);
    }
    return answer;
  }

  /** A page of the repositories of an owner, who may be one repository. */
  async function readOwner(owner: string, query: string, signal: AbortSignal) {
    const isOne = owner.includes('/');
    const answer = await get(`/repositories/${encodePath(owner)}${isOne ? '' : `?${query}`}`, signal, [404]);
    if (answer.status === 404) throw unknownOwner(owner);
    const parsed: unknown = JSON.parse(answer.text);
    return { page: isOne ? { size: 1, values: [parsed], next: null } : pageSchema.parse(parsed), answer };
  }

  async function listRepositories(
    cursor: JqValue | null,
    since: Date | undefined,
    signal: AbortSignal,
  ): Promise<HostList<DatedRepository>> {
    const at = cursor === null ? firstPage : pageCursor.parse(cursor);
    const order = since ? '-updated_on' : 'created_on';
    const query = `sort=${order}&pagelen=${pageSize}&page=${at.page}`;
    const { page } = await readOwner(owners[at.owner] ?? '', query, signal);
    const items = z.array(repositorySchema).parse(page.values).map(toListed);
    const kept = since ? items.filter(({ updatedAt }) => updatedAt >= since) : items;
    const isLast = !page.next || kept.length < items.length;
    const total = page.size ?? null;
    const next = followPage(at, { total, isLast, isSteady: !since, ownerCount: owners.length });
    return { items: kept, next, total };
  }

  async function findRepository(path: string, signal: AbortSignal): Promise<DatedRepository> {
    return toListed(repositorySchema.parse(JSON.parse((await ofRepository(path, '', signal)).text)));
  }

  async function readTree(path: string, sha: string, depth: number, signal: AbortSignal) {
    const files: TreeFile[] = [];
    let isTruncated = false;
    let token = '';
    for (let count = 1; count <= treePagesMax; count += 1) {
      const rest = `/src/${sha}/?max_depth=${depth}&pagelen=${treePageSize}${token}`;
      const answer = await ofRepository(path, rest, signal, [tooSlow], true);
      if (answer.status === tooSlow) return undefined;
      const { values, next } = pageSchema.parse(JSON.parse(answer.text));
      for (const { type, path: file, size } of z.array(entrySchema).parse(values)) {
        if (type === 'commit_file') files.push({ path: file, bytes: size ?? 0 });
        else if (file.split('/').length >= depth) isTruncated = true;
      }
      const page = next ? new URL(next).searchParams.get('page') : null;
      if (page === null) return { files, isTruncated };
      token = `&page=${encodeURIComponent(page)}`;
    }
    return { files, isTruncated: true };
  }

  return {
    name: 'bitbucket.org',
    dialect: 'bitbucket',
    requestCount: transport.requestCount,
    listRepositories,
    async check(signal) {
      let repositories = 0;
      let limit = hourlyLimit;
      for (const owner of owners) {
        const { page, answer } = await readOwner(owner, 'sort=created_on&pagelen=1&page=1', signal);
        repositories += page.size ?? 0;
        // only tokens of workspaces and repositories are told
        limit = Number(answer.headers.get('x-ratelimit-limit')) || limit;
      }
      return [
        { name: 'credentials', state: 'passed', message: 'Bitbucket accepts the token' },
        toCost(repositories, requestsPerRepository + access.activityLists, limit),
      ];
    },
    async describe(repository, signal) {
      if (repository.isEmpty) return { head: undefined, document: {} };
      const rest = `/refs/branches/${encodePath(repository.defaultBranch)}`;
      const answer = await ofRepository(repository.path, rest, signal);
      const { target } = z.looseObject({ target: commitSchema }).parse(JSON.parse(answer.text));
      return { head: { sha: target.hash, document: toHead(target) }, document: {} };
    },
    async listTree(path, sha, signal) {
      const tree = await readTree(path, sha, treeDepth, signal);
      if (tree) return tree;
      const root = await readTree(path, sha, 1, signal);
      return { files: root?.files ?? [], isTruncated: true };
    },
    readFiles: (path, sha, files, signal) =>
      readEach(files, async (file) => {
        // what lies in large file storage is elsewhere, and credentials do not go there
        const answer = await ofRepository(path, `/src/${sha}/${encodePath(file)}`, signal, [301, 302, 404], true);
        return answer.status === 200 ? answer.text : undefined;
      }),
    async headAt({ path, defaultBranch }, at, signal) {
      let token = '';
      for (let count = 1; count <= commitPagesMax; count += 1) {
        const rest = `/commits/${encodePath(defaultBranch)}?pagelen=100${token}`;
        const { values, next } = pageSchema.parse(JSON.parse((await ofRepository(path, rest, signal)).text));
        const found = z
          .array(commitSchema)
          .parse(values)
          .find(({ date }) => date != null && new Date(date) <= at);
        const page = next ? new URL(next).searchParams.get('page') : null;
        if (found || page === null) return found?.hash;
        token = `&page=${encodeURIComponent(page)}`;
      }
      return undefined;
    },
    async listTeams(cursor, signal) {
      const at = cursor === null ? firstPage : pageCursor.parse(cursor);
      const owner = owners[at.owner] ?? '';
      const next = at.owner + 1 < owners.length ? { ...firstPage, owner: at.owner + 1 } : null;
      if (owner.includes('/')) return { items: [], next, total: null };
      // groups have no other interface; not every kind of token may ask
      const address = `${origin}/1.0/groups/${encodeURIComponent(owner)}`;
      const answer = await transport.send(address, { signal, allows: [401, 403, 404, 410] });
      if (answer.status !== 200) return { items: [], next, total: null, unreadable: owner };
      const items = z
        .array(groupSchema)
        .parse(JSON.parse(answer.text))
        .map((group) => toTeam(owner, group));
      return { items, next, total: null };
    },
    async registerHook(address, secret, signal) {
      for (const owner of owners)
        await registerHook({ get, send: transport.send, base }, owner, address, secret, signal);
      return true;
    },
    addressesOf: (path, sha) => ({
      page: `${web}/${encodePath(path)}/src/${sha}`,
      raw: `${web}/${encodePath(path)}/raw/${sha}`,
    }),
    activity: bitbucketActivity({ web, ofRepository, findRepository }),
    async readEvent({ headers, body }, signal) {
      const event = headers['x-event-key'] ?? '';
      const activity = readActivityEvent(event, body, findRepository);
      if (activity) return activity;
      const said = eventSchema.safeParse(body);
      if (!said.success || !event.startsWith('repo:')) return undefined;
      const { uuid, full_name: fullName } = said.data.repository;
      if (event === 'repo:deleted') {
        return { kind: 'deleted', id: readId(uuid), path: `${fullName.split('/')[0]}/{${readId(uuid)}}` };
      }
      if (!['repo:push', 'repo:updated', 'repo:created', 'repo:transfer'].includes(event)) return undefined;
      // the event does not tell the default branch
      const repository = await findRepository(`${fullName.split('/')[0]}/{${readId(uuid)}}`, signal);
      if (event !== 'repo:push') return { kind: 'changed', repository };
      const changes = said.data.push?.changes ?? [];
      const change = changes.find((each) => each.new?.type === 'branch' && each.new.name === repository.defaultBranch);
      if (!change) return undefined;
      const before = change.old?.target?.hash;
      return { kind: 'changed', repository, ...(before ? { before } : {}) };
    },
  };
}

const entrySchema = z.looseObject({ type: z.string(), path: z.string(), size: z.number().nullish() });
const groupSchema = z.looseObject({
  name: z.string(),
  slug: z.string(),
  members: z.array(z.looseObject({ nickname: z.string().nullish(), display_name: z.string().nullish() })).nullish(),
});

function toTeam(owner: string, { name, slug, members }: z.output<typeof groupSchema>): JqObject {
  const people = (members ?? []).map(({ nickname, display_name: shown }) => {
    const login = nickname ?? shown ?? '';
    return { login, email: null, name: shown ?? login };
  });
  return { id: slug, organization: owner, slug, name, members: people, raw: { name, slug } };
}

/** What a full read takes of the host's limit: said before it starts. */
function toCost(repositories: number, ofEach: number, limit: number): SourceCheck {
  const requests = repositories * ofEach + Math.ceil(repositories / pageSize);
  const hours = Math.max(1, Math.ceil(requests / limit));
  const message = `A full read takes about ${requests} requests, and Bitbucket gives ${limit} an hour: about ${hours} h`;
  if (requests <= limit / 2) return { name: 'rate_limit', state: 'passed', message };
  const fix = 'It waits by itself and goes on. Name fewer repositories, or use a token of its own for Portolan.';
  return { name: 'rate_limit', state: 'warning', message, fix };
}

function unknownOwner(owner: string): SourceRefusal {
  return new SourceRefusal(
    'owner_not_found',
    `There is no workspace or repository "${owner}", or the token may not see it`,
    'Correct the workspaces of the source, or give the token rights there. One repository is written acme/payments.',
  );
}
